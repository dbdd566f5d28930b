from django.db import migrations, models


def of_those_taken_back(apps, _):
    """What had been taken back before this was written down."""
    model = apps.get_model("regrades", "Regrade")
    reverted = model.objects.filter(pk=models.OuterRef("regrade")).values("reverted")
    items = apps.get_model("regrades", "RegradeItem").objects.filter(regrade__stage="reverted", moved__isnull=False)
    items.update(returned=models.Subquery(reverted))



class Migration(migrations.Migration):

    dependencies = [
        ('regrades', '0003_needs'),
    ]

    operations = [
        migrations.AddField(
            model_name='regradeitem',
            name='returned',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(of_those_taken_back, migrations.RunPython.noop),
    ]
