from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0003_order")]

    operations = [
        migrations.AddField(
            model_name="judgement",
            name="basis",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="caseresult",
            name="origin",
            field=models.JSONField(default=dict),
        ),
    ]
