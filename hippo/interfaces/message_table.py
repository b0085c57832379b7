"""A table of messages that the user keeps elsewhere: an FTS5 table in a SQLite file, which is only read.

1. Its columns are found by their names: a text, and where there are such, a role, a conversation, a moment, an agent.
2. Rows are those of the agent that they name; where the table has no such column, they are the default agent's.
3. The words of a query are quoted: nothing in it is syntax of FTS5. A table without the column that a filter is about
   has nothing that fits it.
4. The file is opened for reading only, anew for each search, in a thread.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from hippo import limits
from hippo.errors import MessagesUnreadable, NotAnInstant
from hippo.interfaces.imports.moments import moment
from hippo.model.knowledge import LoggedMessage
from hippo.runtime.offload import Offload
from hippo.text.tokens import STOP_WORDS

_TEXT = ("content", "text", "message", "body")
_ROLE = ("role",)
_CONVERSATION = ("conversation", "conversation_id", "session", "session_id")
_MOMENT = ("created_at", "timestamp")
_AGENT = ("agent_id", "agent")
_OWNER = "default"  # whose the rows are of a table without agents
_IS_FTS5 = re.compile(r"\s*create\s+virtual\s+table\b.*\busing\s+fts5\b", re.IGNORECASE | re.DOTALL)
_WORD = re.compile(r"\w+")
_MS_FROM = 100_000_000_000  # a number of seconds is below it until the year 5138


class Wanted(NamedTuple):
    """Which messages: those that match the words of a query best, or without one the newest. Times are inclusive."""

    agent: str
    query: str
    role: str | None
    conversation: str | None
    since: int | None
    until: int | None
    most: int


class _Columns(NamedTuple):
    """What the columns are called; None where there is none."""

    text: str
    role: str | None
    conversation: str | None
    moment: str | None
    agent: str | None


class MessageTable:
    """A user's table of messages.

    Args:
        path: of the SQLite file. table: the name of the FTS5 table. offload: where it is read.
    """

    def __init__(self, path: Path, table: str, offload: Offload) -> None:
        self._path, self._table, self._offload = path, table, offload

    async def find(self, wanted: Wanted) -> list[LoggedMessage]:
        """The messages that fit, best or newest first.

        Raises:
            MessagesUnreadable: there is no such file or table, or it is of another kind.
        """
        return await self._offload.run(self._find, wanted)

    def _find(self, wanted: Wanted) -> list[LoggedMessage]:
        if not self._path.is_file():
            raise MessagesUnreadable(path=self._path, why="there is no such file")
        try:
            with closing(sqlite3.connect(f"file:{quote(str(self._path.absolute()))}?mode=ro", uri=True,
                                         timeout=limits.sqlite_wait_seconds)) as database:
                return list(islice(self._matching(database, wanted), wanted.most))
        except sqlite3.Error as fault:
            raise MessagesUnreadable(path=self._path, why=str(fault)) from fault

    def _matching(self, database: sqlite3.Connection, wanted: Wanted) -> Iterator[LoggedMessage]:
        columns = self._columns(database)
        statement = _statement(self._table, columns, wanted)
        if statement is None:
            return
        for rowid, text, role, conversation, written in database.execute(*statement):
            at = _instant(written)
            if isinstance(text, str) and text.strip() and _is_within(at, wanted.since, wanted.until):
                yield LoggedMessage(
                    id=f"{self._table}:{rowid}", role="" if role is None else str(role), text=text, created_at=at,
                    conversation=None if conversation is None else str(conversation))

    def _columns(self, database: sqlite3.Connection) -> _Columns:
        made = dict(database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL"))
        if self._table not in made:
            known = sorted(name for name, sql in made.items() if _IS_FTS5.match(sql))
            said = f"its FTS5 tables are {', '.join(known)}" if known else "it has no FTS5 table at all"
            raise MessagesUnreadable(path=self._path, why=f"there is no table {self._table}; {said}")
        if not _IS_FTS5.match(made[self._table]):
            raise MessagesUnreadable(path=self._path, why=f"the table {self._table} is no FTS5 table")
        names = [row[1] for row in database.execute(f"PRAGMA table_info({_quoted(self._table)})")]
        text = _named(names, _TEXT)
        if text is None:
            raise MessagesUnreadable(
                path=self._path, why=f"none of the columns of {self._table} is called {', '.join(_TEXT)}")
        return _Columns(text, *(_named(names, known) for known in (_ROLE, _CONVERSATION, _MOMENT, _AGENT)))


def _statement(table: str, columns: _Columns, wanted: Wanted) -> tuple[str, list[Any]] | None:
    """What to ask, and its arguments; None where nothing can fit (rules 2 and 3)."""
    if columns.agent is None and wanted.agent != _OWNER:
        return None
    asks, arguments = list[str](), list[Any]()
    if wanted.query:
        asks.append(f"{_quoted(table)} MATCH ?")
        arguments.append(_match(columns.text, wanted.query))
    for column, value in ((columns.agent, wanted.agent if columns.agent else None), (columns.role, wanted.role),
                          (columns.conversation, wanted.conversation)):
        if value is not None:
            if column is None:
                return None
            asks.append(f"{_quoted(column)} = ?")
            arguments.append(value)
    shown = ", ".join("NULL" if column is None else _quoted(column) for column in columns[:4])
    order = "rank, rowid DESC" if wanted.query else (
        "rowid DESC" if columns.moment is None else f"{_quoted(columns.moment)} DESC, rowid DESC")
    return (f"SELECT rowid, {shown} FROM {_quoted(table)}{' WHERE ' if asks else ''}{' AND '.join(asks)} "
            f"ORDER BY {order} LIMIT {limits.scanned_rows_max}", arguments)


def _match(column: str, query: str) -> str:
    """The words of a query as FTS5 looks for them in one column: any of them, without stop words unless there are no
    others."""
    words = list(dict.fromkeys(_WORD.findall(query)))
    telling = [word for word in words if word.lower() not in STOP_WORDS] or words
    return f"{_quoted(column)} : ({' OR '.join(map(_quoted, telling))})"


def _quoted(name: str) -> str:
    """A name for SQL, or a string for FTS5: both double a quote within."""
    return '"' + name.replace('"', '""') + '"'


def _named(names: Sequence[str], known: Sequence[str]) -> str | None:
    lower = {name.lower(): name for name in reversed(names)}
    return next((lower[name] for name in known if name in lower), None)


def _instant(written: object) -> int | None:
    """The moment that a row gives: seconds or milliseconds since 1970, or ISO text; None where it gives none."""
    if isinstance(written, str) and written.strip().replace(".", "", 1).isdecimal():
        written = float(written)
    if isinstance(written, int | float) and abs(written) >= _MS_FROM:
        written = written / 1000
    try:
        return moment(written)
    except NotAnInstant:
        return None


def _is_within(at: int | None, since: int | None, until: int | None) -> bool:
    if at is None:
        return since is None and until is None
    return (since is None or at >= since) and (until is None or at <= until)
