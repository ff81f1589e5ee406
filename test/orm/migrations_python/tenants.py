"""Makes two tenants with django-tenants, and prints the ids of their rows."""
import django
from django.conf import settings
from django.core.management import call_command

import django_settings

settings.configure(
    DATABASES={"default": django_settings.DATABASES["default"] | {
        "ENGINE": "django_tenants.postgresql_backend", "NAME": "tenants"}},
    DATABASE_ROUTERS=["django_tenants.routers.TenantSyncRouter"],
    SHARED_APPS=["django_tenants", "django.contrib.contenttypes", "owners"], TENANT_APPS=["shop"], TENANT_MODEL="owners.Owner",
    INSTALLED_APPS=["django_tenants", "django.contrib.contenttypes", "owners", "shop"],
    DEFAULT_AUTO_FIELD=django_settings.DEFAULT_AUTO_FIELD)
django.setup()

from django_tenants.utils import schema_context
from owners.models import Owner
from shop.models import Customer

call_command("migrate_schemas", shared=True, run_syncdb=True, verbosity=0)
for name in "t1", "t2":
    Owner(schema_name=name).save(verbosity=0)
    with schema_context(name):
        print(name, *[Customer.objects.create(item="Ada").id for _ in range(3)])
