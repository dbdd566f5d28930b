"""What one's own machine needs and a production site gets from its environment: a key and a broker's address."""

import hashlib
import os
import tempfile
from pathlib import Path

from django.core.management.utils import get_random_secret_key

SOCKET_PATH_BYTES = 107
"""Longest path of a unix socket: `sun_path` holds 108 bytes with the closing NUL."""


def secret_key_file(var: Path) -> Path:
    """Where `./palfrey up` keeps the key that it made once."""
    return var / "secret-key"


def secret_key(var: Path) -> str:
    """The key that was made for this machine; before that, one for this process alone."""
    try:
        return secret_key_file(var).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return get_random_secret_key()


def broker_socket(var: Path) -> Path:
    """Where the embedded broker listens: in `var`, or in a folder with a short name when that path is too long."""
    path = var / "broker.sock"
    if len(os.fsencode(path)) <= SOCKET_PATH_BYTES:
        return path
    name = hashlib.sha256(os.fsencode(var)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"palfrey-{os.getuid()}-{name}" / "broker.sock"
