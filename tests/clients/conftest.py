"""Every client here talks to the real daemon."""

from __future__ import annotations

from tests.daemon_fixture import daemon

__all__ = ["daemon"]
