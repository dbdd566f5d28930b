"""Bytes by their SHA-256: kept once behind Django's storage API, cached as files on each host."""
