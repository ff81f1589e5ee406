from django_tenants.models import TenantMixin


class Owner(TenantMixin):
    auto_create_schema = True
