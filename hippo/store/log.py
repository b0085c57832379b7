"""The log of passes: each report as text for people and as one line for programs; two files take turns."""

from __future__ import annotations

from hippo.limits import compaction_log_bytes_max
from hippo.store.disk import Disk

LOG, LOG_BEFORE = "compaction.log", "compaction.log.1"
_TAIL_BYTES = 64 * 1024


def log_report(disk: Disk, text: str, line: str) -> None:
    """Appends a report. Raises OSError."""
    entry = f"{text}\n{line}\n".encode()
    size = disk.size(LOG) if LOG in disk.names() else None
    if size is not None and size + len(entry) > compaction_log_bytes_max:
        disk.rename(LOG, LOG_BEFORE)
        size = None
    if size is None:
        disk.create(LOG)
    disk.write(LOG, size or 0, entry)
    disk.release(LOG)


def last_logged(disk: Disk) -> bytes | None:
    """The last line for programs, None where there is none."""
    for name in (LOG, LOG_BEFORE):
        try:
            tail = disk.read(name, max(disk.size(name) - _TAIL_BYTES, 0)).splitlines()
        except OSError:
            continue
        if tail and tail[-1].startswith(b"{"):
            return tail[-1]
    return None
