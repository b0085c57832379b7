"""Caches: derived files for a fast start, thrown away on any mismatch."""

from __future__ import annotations

from struct import Struct as Layout

from hippo.codec.record import checksum
from hippo.store.disk import Disk, write_atomic

FOLDER = "cache/"
_HEADER = Layout("<4sI")
_MAGIC = b"HIPC"


def write_cache(disk: Disk, name: str, content: bytes) -> None:
    """Replaces a cache; a power loss may take it. Raises OSError."""
    write_atomic(disk, FOLDER + name, _HEADER.pack(_MAGIC, checksum(content)) + content, durable=False)


def read_cache(disk: Disk, name: str) -> bytes | None:
    """What was written, or None where there is nothing that can be trusted."""
    try:
        raw = disk.read(FOLDER + name)
    except OSError:
        return None
    if len(raw) < _HEADER.size:
        return None
    magic, check = _HEADER.unpack_from(raw)
    content = raw[_HEADER.size:]
    return content if magic == _MAGIC and check == checksum(content) else None
