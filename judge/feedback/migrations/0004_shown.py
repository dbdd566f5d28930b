import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('feedback', '0003_needs'),
        ('submissions', '0004_origin'),
    ]

    operations = [
        migrations.CreateModel(
            name='Shown',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rung', models.CharField(choices=[('verdict', 'verdict'), ('kind', 'kind'), ('property', 'property'), ('hint', 'hint'), ('counterexample', 'counterexample'), ('replay', 'replay')], max_length=16)),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='shown', to='submissions.submission')),
            ],
        ),
    ]
