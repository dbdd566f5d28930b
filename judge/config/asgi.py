"""The web application, for an ASGI server."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "judge.config.settings")
django = get_asgi_application()

from judge.web.bounded import Bounded  # noqa: E402 - needs the settings

application = Bounded(django, settings.REQUEST_BYTES, settings.REQUEST_SECONDS)
