"""Settings of the tests: a folder of their own for each test process, with a real broker in it when a test asks."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from tests.together import cache, shared

_worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
_folder = Path(tempfile.gettempdir()) / f"palfrey-tests-{os.getuid()}" / f"{_worker}-{os.getpid()}"
_folder.mkdir(parents=True, exist_ok=True)
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["PALFREY_LOCAL"] = "1"
os.environ["PALFREY_VAR"] = str(_folder)
shared(_folder)
cache(_folder / "cache")
os.environ["PALFREY_SUBMISSIONS_A_MINUTE"] = "1000"
os.environ["REDIS_URL"] = f"unix://{_folder}/valkey.sock"
os.environ.pop("DATABASE_URL", None) if not os.environ.get("PALFREY_TEST_DATABASE_URL") else os.environ.update(
    DATABASE_URL=os.environ["PALFREY_TEST_DATABASE_URL"]
)

from judge.config.settings import *  # noqa: E402, F403
from judge.config.settings import DATABASES  # noqa: E402

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(_folder / "test.sqlite3")}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
