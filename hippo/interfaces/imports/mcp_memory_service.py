"""The SQLite store of mcp-memory-service: its table `memories`, as release 12 writes it.

1. `content` is the text, `memory_type` the kind, `tags` the tags, `store` the scope, `created_at` the time. The key is
   made of `content_hash`. What an older release has no column for is left out.
2. Of `metadata`, `importance` (0 to 1) is the salience; `importance_score` (0 to 2, where 1 is usual) is measured
   against the usual one; `conversation_id` is the conversation.
3. What was deleted or superseded there is skipped. Its vectors and its graph of associations are left: hippo makes its
   own.
4. The database is opened for reading only, and trusts nothing that its schema says. Rows are fetched one by one, by
   their ids, so that a damaged one keeps no other back.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from hippo import limits
from hippo.errors import HippoError, SourceUnreadable
from hippo.interfaces.imports.moments import moment
from hippo.interfaces.imports.rows import BadRow, Row, SkippedRow, key_of, memory_rows
from hippo.interfaces.imports.sources import open_source, shown
from hippo.model.verb import Remember

NAME = "mcp-memory-service"
FILE = "sqlite_vec.db"
SIGNATURE = b"SQLite format 3\x00"

_NEEDED = ("content_hash", "content")
_KNOWN = (*_NEEDED, "tags", "memory_type", "metadata", "created_at", "created_at_iso", "deleted_at", "superseded_by",
          "store")
_UNTAGGED = "untagged"  # what it writes where there are none


def read(source: Path) -> Iterator[Row]:
    """The rows of a store.

    Args:
        source: the database, or the folder that holds it as `sqlite_vec.db`.
    Raises:
        SourceUnreadable: it is no such database.
    """
    path = source / FILE if os.path.isdir(source) else source
    with closing(_opened(path)) as database:
        columns = _columns(database, path)
        if not set(_NEEDED) <= set(columns):
            raise SourceUnreadable(source=shown(path), why="it has no table of memories")
        wanted = [name for name in _KNOWN if name in columns]
        one = f"SELECT {', '.join(wanted)} FROM memories WHERE rowid = ?"
        try:
            for (number,) in database.execute("SELECT rowid FROM memories ORDER BY rowid"):
                yield from _of_row(database, one, wanted, number)
        except sqlite3.Error as refused:
            yield BadRow("the rest", f"The database is damaged: {refused}.")


def is_one(path: Path) -> bool:
    """Whether a database is of that service.

    Raises:
        SourceUnreadable: it is no database, or damaged.
    """
    with closing(_opened(path)) as database:
        return set(_NEEDED) <= set(_columns(database, path))


def _columns(database: sqlite3.Connection, path: Path) -> list[str]:
    try:
        known = database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'memories'").fetchone()
        rows = database.execute("PRAGMA table_info(memories)").fetchall() if known else []
    except sqlite3.Error as refused:
        raise SourceUnreadable(source=shown(path), why=str(refused)) from None
    return [bytes(row[1]).decode("utf-8", "replace") for row in rows]


def _opened(path: Path) -> sqlite3.Connection:
    with open_source(path) as stream:
        if stream.read(len(SIGNATURE)) != SIGNATURE:
            raise SourceUnreadable(source=shown(path), why="it is no SQLite database")
    log = Path(f"{path}-wal")
    # Where nothing waits in its log, the file alone says all, and no file is made beside it.
    mode = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    try:
        database = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, check_same_thread=False)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.import_column_bytes_max)
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA query_only = ON")
    except sqlite3.Error as refused:
        raise SourceUnreadable(source=shown(path), why=str(refused)) from None
    database.text_factory = bytes
    return database


def _of_row(database: sqlite3.Connection, one: str, wanted: list[str], number: int) -> Iterator[Row]:
    where = f"memory {number}"
    try:
        found = database.execute(one, (number,)).fetchone()
        if found is None:
            return
        row = {name: value.decode("utf-8") if isinstance(value, bytes) else value
               for name, value in zip(wanted, found, strict=True)}
        yield from _of_memory(where, row)
    except sqlite3.Error as refused:
        yield BadRow(where, f"It is damaged: {refused}.")
    except UnicodeDecodeError as refused:
        yield BadRow(where, f"It is not UTF-8 text: {refused.reason}.")
    except HippoError as refused:
        yield BadRow(where, refused.message)


def _of_memory(where: str, row: dict[str, Any]) -> Iterator[Row]:
    if row.get("deleted_at"):
        yield SkippedRow(where, "It was deleted there.")
        return
    if row.get("superseded_by"):
        yield SkippedRow(where, "A newer version superseded it there.")
        return
    text, identity = row["content"], row["content_hash"]
    if not isinstance(text, str) or not isinstance(identity, str):
        yield BadRow(where, "Its content is not a text.")
        return
    more = _metadata(row.get("metadata"))
    written = row.get("created_at")
    yield from memory_rows(where, Remember(
        text=text, kind=_text(row.get("memory_type")) or "fact", tags=_tags(row.get("tags")),
        scope=_scope(row.get("store")), salience=_salience(more), source=NAME,
        conversation=_text(more.get("conversation_id")),
        created_at=moment(row.get("created_at_iso") if written is None else written), key=key_of(NAME, identity)))


def _metadata(written: object) -> dict[str, Any]:
    try:
        more = msgspec.json.decode(written) if isinstance(written, str) else None
    except (msgspec.DecodeError, RecursionError):
        more = None
    return more if isinstance(more, dict) else {}


def _salience(more: dict[str, Any]) -> float | None:
    importance, score = _number(more.get("importance"), 1), _number(more.get("importance_score"), 2)
    if importance is None and score is not None:
        return limits.salience_default * score
    return importance


def _number(value: object, most: int) -> float | None:
    is_one = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most
    return float(value) if is_one else None  # type: ignore[arg-type]


def _tags(written: object) -> list[str]:
    if not isinstance(written, str):
        return []
    try:
        listed = msgspec.json.decode(written, type=list[str]) if written.startswith("[") else written.split(",")
    except msgspec.DecodeError:
        listed = written.split(",")
    return [tag for tag in (part.strip() for part in listed) if tag and tag != _UNTAGGED]


def _scope(store: object) -> str:
    return store if isinstance(store, str) and store != "default" else ""


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
