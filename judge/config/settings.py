"""Settings, all from the environment; `./palfrey up` and docker-compose.yml use the same names.

Without PALFREY_LOCAL the production rules hold: a long secret key and the host names must be given, cookies go over
TLS only, and the start is refused otherwise. PALFREY_LOCAL=1, which ./palfrey sets when no host names are given, is for
one's own machine: it answers to the names of this machine only, over plain HTTP. PALFREY_DEBUG=1 is for whoever works
on Palfrey itself; it shows settings and source on error pages and is refused in production.
"""

import os
from pathlib import Path

import environ
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from judge.config import local, logging

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()

LOCAL = env.bool("PALFREY_LOCAL", default=False)
"""One's own machine: plain HTTP, local names, a key and a broker made by `./palfrey up`."""
DEBUG = env.bool("PALFREY_DEBUG", default=False)
VAR = Path(env.str("PALFREY_VAR", default=str(BASE_DIR / "var"))).resolve()
"""Everything this host keeps: database, blobs, keys, logs."""
PALFREY_CACHE = Path(env.str("PALFREY_CACHE", default=str(VAR / "cache"))).resolve()
"""What may be deleted at any time: blobs fetched, packages unpacked, compiled artefacts."""

LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
# Not by `env`, which takes a value that begins with $ for the name of another variable.
SECRET_KEY = os.environ.get("PALFREY_SECRET_KEY", "") or (local.secret_key(VAR) if LOCAL else "")
ALLOWED_HOSTS = env.list("PALFREY_HOSTS", default=LOCAL_HOSTS if LOCAL else [])

if LOCAL and not set(ALLOWED_HOSTS) <= set(LOCAL_HOSTS):
    raise ImproperlyConfigured("PALFREY_LOCAL is for one's own machine: unset it to serve the names in PALFREY_HOSTS.")
if not LOCAL:
    if DEBUG:
        raise ImproperlyConfigured("PALFREY_DEBUG shows settings to everybody: it needs PALFREY_LOCAL=1.")
    if len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 10:
        raise ImproperlyConfigured("Set PALFREY_SECRET_KEY to a random string of at least 50 characters.")
    if not ALLOWED_HOSTS or any("*" in host for host in ALLOWED_HOSTS):
        raise ImproperlyConfigured("Set PALFREY_HOSTS to the host names of this site, separated by commas, without *.")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "axes",
    "ninja",
    "judge",
    "problems",
    "judge.people",
    "judge.assignments",
    "judge.submissions",
    "judge.lessons",
    "judge.feedback",
    "judge.authoring",
    "judge.grades",
    "judge.regrades",
    "judge.web",
    "judge.api",
]
MIDDLEWARE = [
    "judge.operations.requests.request_log",
    "judge.operations.requests.in_pieces",
    "judge.api.errors.in_json",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "judge.web.zone.ReaderZone",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "judge.web.bounded.readable",
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
    DATABASES["default"]["OPTIONS"] = {
        "pool": {"min_size": 1, "max_size": env.int("PALFREY_DB_POOL", default=8), "timeout": 5},
        "connect_timeout": 5,
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": VAR / "files"}},
    "blobs": {
        "BACKEND": env.str("PALFREY_BLOBS_BACKEND", default="judge.blobs.folder.BlobFolder"),
        "OPTIONS": env.json("PALFREY_BLOBS_OPTIONS", default={"location": str(VAR / "blobs")}),
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if LOCAL
        else "judge.config.static.StaticFiles"
    },
}
STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = LOCAL
"""On one's own machine static files come from where they lie; elsewhere `collectstatic` gathers them in STATIC_ROOT."""

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
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 20_000}}}
"""Counts of letters, in each web process for itself."""
RESET_MAILS_TO_ONE = 5
RESET_MAILS_FROM_ONE = 20
RESET_SECONDS = 3600
"""Letters for a forgotten password in this time: to one mail address, and asked for from one address of the net."""
AXES_LOCKOUT_CALLABLE = "judge.web.errors.locked_out"

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env.str("PALFREY_MAIL_FROM", default="palfrey@localhost")

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("pt-br", "Português (Brasil)"), ("ro", "Română"), ("zh-hans", "简体中文")]
"""Each by its own name, as the switch at the foot of every page has it."""
LOCALE_PATHS = [BASE_DIR / "judge" / "locale"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = not LOCAL
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"  # as in judge.web.tongue.greet
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("PALFREY_TIME_ZONE", default="UTC")

# Security ------------------------------------------------------------------------------------------------------------
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not LOCAL
SESSION_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 0 if LOCAL else env.int("PALFREY_HSTS_SECONDS", default=31_536_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not LOCAL
SECURE_SSL_REDIRECT = not LOCAL
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = None if LOCAL else ("HTTP_X_FORWARDED_PROTO", "https")
"""The proxy in front ends TLS and must set this header itself, whatever the client sent."""
CSRF_TRUSTED_ORIGINS = [] if LOCAL else [f"https://{'*' if host[0] == '.' else ''}{host}" for host in ALLOWED_HOSTS]
CSRF_FAILURE_VIEW = "judge.web.errors.csrf"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
DATA_UPLOAD_MAX_NUMBER_FILES = 1000  # the form says more kindly how many files a program may have
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 << 20
"""Text of a form without its files: a program far too big still comes to the form, which says so and loses nothing."""
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 << 20
REQUEST_BYTES = env.int("PALFREY_REQUEST_BYTES", default=64 << 20)
"""A request with more than this is not read to its end."""
REQUEST_SECONDS = env.int("PALFREY_REQUEST_SECONDS", default=120)
"""So long the head of a request may take to come, and so long its body."""

# The queue -----------------------------------------------------------------------------------------------------------
EMBEDDED_BROKER = local.broker_socket(VAR) if LOCAL and not env.str("REDIS_URL", default="") else None
"""Socket of the broker that `./palfrey up` starts when no other is named."""
REDIS_URL = f"unix://{EMBEDDED_BROKER}" if EMBEDDED_BROKER else env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
"""As redis-py spells it; a socket is `unix:///path`."""
LEASE_SECONDS = env.int("PALFREY_LEASE_SECONDS", default=30)
ATTEMPTS = 3
TASK_SECONDS = env.int("PALFREY_TASK_SECONDS", default=3600)
"""Backstop for one task; the sandbox's own limits come long before."""
ERRAND_SECONDS = env.int("PALFREY_ERRAND_SECONDS", default=4 * 3600)
"""The same for making and verifying a version, which judge hundreds of programs and cases."""

DISK_RESERVE_BYTES = env.int("PALFREY_DISK_RESERVE_BYTES", default=256 << 20)
"""A worker whose cache has less room than this takes no work."""

SANDBOX = env.str("PALFREY_SANDBOX", default="")
LAPTOP = SANDBOX == "laptop"
"""Judge as an ordinary user without control groups, which holds less: for programs that one trusts, never by itself."""
if SANDBOX not in ("", "laptop"):
    raise ImproperlyConfigured(
        "PALFREY_SANDBOX is either not set (every limit is held) or laptop (for one's own machine)."
    )
if LAPTOP and not LOCAL:
    raise ImproperlyConfigured("PALFREY_SANDBOX=laptop does not hold every limit: unset it to serve PALFREY_HOSTS.")

ALERT_SECONDS = env.int("PALFREY_ALERT_SECONDS", default=300)
"""A submission that has waited for longer is told to whoever runs the site."""
ALERT_MAIL = env.list("PALFREY_ALERT_MAIL", default=[])
"""To whom alerts are mailed."""
METRICS_TOKEN = os.environ.get("PALFREY_METRICS_TOKEN", "")
"""What `/metrics` wants to be told; empty: on one's own machine open to programs on it, closed elsewhere."""

# Bounds --------------------------------------------------------------------------------------------------------------
UNFINISHED_SUBMISSIONS = env.int("PALFREY_UNFINISHED_SUBMISSIONS", default=50)
"""Submissions of one student that may wait or run at the same time."""
SUBMISSIONS_A_MINUTE = env.int("PALFREY_SUBMISSIONS_A_MINUTE", default=20)
"""Submissions that one student may send within a minute."""
UNFINISHED_TRIALS = env.int("PALFREY_UNFINISHED_TRIALS", default=5)
"""Trial runs of one student that may wait or run at the same time."""
FEEDBACK_SECONDS = env.float("PALFREY_FEEDBACK_SECONDS", default=5.0)
"""CPU that the search for a counterexample may use; 0: nothing is looked for."""
LESSON_TRACES = env.int("PALFREY_LESSON_TRACES", default=500)
"""Figures of lessons that one reader may have had made, of those that are kept."""
SUBMISSION_FILES = 100
OWN_INPUT_BYTES = env.int("PALFREY_OWN_INPUT_BYTES", default=1 << 20)
COMPILED_BYTES = env.int("PALFREY_COMPILED_BYTES", default=4 << 30)
PACKAGE_BYTES = env.int("PALFREY_PACKAGE_BYTES", default=60 << 20)
"""Longest archive, and longest single file, that the problem desk takes; PALFREY_REQUEST_BYTES must let it through."""
UNFINISHED_ERRANDS = env.int("PALFREY_UNFINISHED_ERRANDS", default=20)
"""Makings and verifyings that one person may have waiting or running at the same time."""
OUTPUTS_KEPT_DAYS = env.int("PALFREY_OUTPUTS_KEPT_DAYS", default=0)
"""After so long `./palfrey collect` forgets what programs printed; 0: never."""
INVITATION_DAYS = env.int("PALFREY_INVITATION_DAYS", default=30)
"""For so long the link works by which somebody sets the first password of their account."""
TOKEN_DAYS = env.int("PALFREY_TOKEN_DAYS", default=366)
"""The longest time for which a token of the API can be made."""
FORGET_DAYS = env.int("PALFREY_FORGET_DAYS", default=0)
"""So long after the end of their last course people are made anonymous; 0: never by itself."""
TRIALS_KEPT_DAYS = env.int("PALFREY_TRIALS_KEPT_DAYS", default=30)

# Logs ----------------------------------------------------------------------------------------------------------------
LOGGING = logging.configuration(local=LOCAL, level=env.str("PALFREY_LOG_LEVEL", default="INFO"))
