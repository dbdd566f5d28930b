"""Settings, all from the environment; `./palfrey up` and docker-compose.yml use the same names.

PALFREY_DEBUG=1 (what `./palfrey up` sets) is for one's own machine. Without it the production rules hold: a secret key
and the host names must be given, cookies are secure, and the start is refused otherwise.
"""

from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()

DEBUG = env.bool("PALFREY_DEBUG", default=False)
VAR = Path(env.str("PALFREY_VAR", default=str(BASE_DIR / "var"))).resolve()
"""Everything this host keeps: database, blobs, keys, logs."""
PALFREY_CACHE = Path(env.str("PALFREY_CACHE", default=str(VAR / "cache"))).resolve()
"""What may be deleted at any time: blobs fetched, packages unpacked, compiled artefacts."""

SECRET_KEY = env.str("PALFREY_SECRET_KEY", default="")
if not SECRET_KEY:
    if not DEBUG:
        raise ImproperlyConfigured("Set PALFREY_SECRET_KEY to a long random string (at least 50 characters).")
    SECRET_KEY = "only-for-a-machine-of-ones-own-" + "0" * 32
ALLOWED_HOSTS = env.list("PALFREY_HOSTS", default=["localhost", "127.0.0.1", "[::1]"] if DEBUG else [])
if not ALLOWED_HOSTS:
    raise ImproperlyConfigured("Set PALFREY_HOSTS to the host names of this site, separated by commas.")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "axes",
    "judge",
    "problems",
    "judge.people",
    "judge.submissions",
    "judge.web",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "judge.config.urls"
ASGI_APPLICATION = "judge.config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR / 'palfrey.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["OPTIONS"] = {"pool": {"min_size": 1, "max_size": env.int("PALFREY_DB_POOL", default=8)}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": VAR / "files"}},
    "blobs": {
        "BACKEND": env.str("PALFREY_BLOBS_BACKEND", default="django.core.files.storage.FileSystemStorage"),
        "OPTIONS": env.json("PALFREY_BLOBS_OPTIONS", default={"location": str(VAR / "blobs")}),
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "problems"
LOGOUT_REDIRECT_URL = "problems"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
"""Hours for which a name is closed to an address after too many wrong passwords."""
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env.str("PALFREY_MAIL_FROM", default="palfrey@localhost")

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("PALFREY_TIME_ZONE", default="UTC")

# Security ------------------------------------------------------------------------------------------------------------
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEBUG
SESSION_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 0 if DEBUG else env.int("PALFREY_HSTS_SECONDS", default=31_536_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not DEBUG
SECURE_SSL_REDIRECT = not DEBUG
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if not DEBUG else None
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if not DEBUG and not host.startswith((".", "*"))]
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 << 20
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 << 20

# The queue -----------------------------------------------------------------------------------------------------------
REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
"""As redis-py spells it; a socket is `unix:///path`."""
LEASE_SECONDS = env.int("PALFREY_LEASE_SECONDS", default=30)
ATTEMPTS = 3
TASK_SECONDS = env.int("PALFREY_TASK_SECONDS", default=3600)
"""Backstop for one task; the sandbox's own limits come long before."""

# Bounds --------------------------------------------------------------------------------------------------------------
UNFINISHED_SUBMISSIONS = env.int("PALFREY_UNFINISHED_SUBMISSIONS", default=50)
"""Submissions of one student that may wait or run at the same time."""
UNFINISHED_TRIALS = env.int("PALFREY_UNFINISHED_TRIALS", default=5)
"""Trial runs of one student that may wait or run at the same time."""
SUBMISSION_FILES = 100
OWN_INPUT_BYTES = env.int("PALFREY_OWN_INPUT_BYTES", default=1 << 20)
TRIALS_KEPT_DAYS = env.int("PALFREY_TRIALS_KEPT_DAYS", default=30)
