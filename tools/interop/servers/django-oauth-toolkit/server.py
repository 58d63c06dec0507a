"""Django OAuth Toolkit in one file, with SQLite in memory, as its tutorial sets it up: the app in INSTALLED_APPS, its token
view at a URL, a confidential application with the password grant. Configured for the contract by its path and its lifetime."""

import os
from wsgiref.simple_server import make_server

import django
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

settings.configure(
    SECRET_KEY="only-for-this-run",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    OAUTH2_PROVIDER={"ACCESS_TOKEN_EXPIRE_SECONDS": 14 * 24 * 60 * 60},
    # As Django's page on testing advises: a run signs in hundreds of times, and each takes a quarter of a second otherwise.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    LOGGING_CONFIG=None,
    USE_TZ=True,
)
django.setup()

from django.contrib.auth import get_user_model
from django.urls import path
from oauth2_provider.models import get_application_model
from oauth2_provider.views import TokenView

urlpatterns = [path("Token", TokenView.as_view())]

call_command("migrate", verbosity=0)
for name, password in (("alice", "ALICE_PASSWORD"), ("Zoë Straße", "ZOE_PASSWORD")):
    get_user_model().objects.create_user(name, password=os.environ[password])
Application = get_application_model()
Application.objects.create(
    name="The client",
    client_id="client",
    client_secret=os.environ["CLIENT_SECRET"],
    client_type=Application.CLIENT_CONFIDENTIAL,
    authorization_grant_type=Application.GRANT_PASSWORD,
)

# In one thread: a database in memory belongs to its connection.
make_server("127.0.0.1", int(os.environ["PORT"]), get_wsgi_application()).serve_forever()
