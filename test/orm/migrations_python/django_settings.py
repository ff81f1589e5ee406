import os

DATABASES = {"default": {
    "ENGINE": "django.db.backends.postgresql", "NAME": "django", "USER": "postgres",
    "HOST": os.environ["ORM_HOST"], "PORT": os.environ["ORM_PORT"],
    "TEST": {"TEMPLATE": "with_hilo"}}}
INSTALLED_APPS = ["shop"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
