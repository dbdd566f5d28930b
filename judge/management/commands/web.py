"""`./palfrey web`: the web server alone."""

from argparse import ArgumentParser
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand

from judge.operations.http import HEAD_BYTES, BoundedHead

GRACE = 3
"""Seconds that open pages (live ones never end by themselves) get when the server is told to stop."""


class Command(BaseCommand):
    help = "Serve the pages. In production a proxy that ends TLS stands in front."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
        parser.add_argument("--fd", type=int, help="take over this listening socket")

    def handle(self, *_args: Any, host: str, port: int, fd: int | None, **_options: Any) -> None:
        uvicorn.run(
            "judge.config.asgi:application",
            host=host,
            port=port,
            fd=fd,
            http=BoundedHead,
            h11_max_incomplete_event_size=HEAD_BYTES,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            proxy_headers=not settings.LOCAL,
            forwarded_allow_ips="*",
        )
