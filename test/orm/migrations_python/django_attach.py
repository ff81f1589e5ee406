from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("shop", "0001_initial")]
    operations = [
        migrations.RunSQL("SELECT hilo_attach('customers', 'id')", "SELECT hilo_detach('customers', 'id')"),
    ]
