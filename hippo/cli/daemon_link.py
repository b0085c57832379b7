"""The way to a running daemon: who owns a store, and calls over REST.

1. The file `lock` in the store's folder says who owns it: {"pid": …, "url": …}; the url is there once it listens.
2. What the file says counts only while that process lives and the address answers as hippo does: after a crash the
   file stays behind.
3. An error of the daemon becomes the same error here: its code, its words, and the exit code of its class.
"""

from __future__ import annotations

import http.client
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import quote, unquote, urlencode, urlsplit

from hippo import errors, limits
from hippo.errors import DaemonUnreachable, HippoError, InvalidArgument
from hippo.text.surrogates import whole

LOCK_NAME = "lock"
_seconds_to_greet = 5.0
_seconds_to_answer = limits.ask_seconds + 10.0
_answer_bytes_max = 1024 * 1024 * 1024
_file_name = re.compile(r"filename\*=UTF-8''([^;\s]+)")  # RFC 6266


class Owner(NamedTuple):
    """The process that owns a store; `url` is None for one that does not listen (yet)."""

    pid: int
    url: str | None


def owner_of(folder: Path) -> Owner | None:
    """Who owns the store in a folder, as far as its lock file and the machine tell.

    Args:
        folder: the store's folder, which need not exist.
    Returns:
        The owner, or None where there is none.
    """
    try:
        facts = json.loads((folder / LOCK_NAME).read_text("utf-8"))
        pid, url = int(facts["pid"]), facts.get("url")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return Owner(pid, url if isinstance(url, str) else None) if _lives(pid) else None


def listening_at(folder: Path) -> str | None:
    """The address of the daemon that owns the store in a folder, if one does and answers.

    Args:
        folder: the store's folder.
    Returns:
        Such as http://127.0.0.1:3000, or None.
    """
    owner = owner_of(folder)
    if owner is None or owner.url is None:
        return None
    try:
        with Link(owner.url) as link:
            link.health()
    except HippoError:
        return None
    return owner.url


def _lives(pid: int) -> bool:
    if os.name != "posix":
        return True  # elsewhere signal 0 would end it: what answers at the address decides
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


class Link:
    """Calls to one daemon over one connection, kept open between calls."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = None
        if parts.scheme not in ("http", "https") or not parts.hostname or (port is None and ":" in parts.netloc[-6:]):
            raise InvalidArgument(what=f"{url} is not the address of a daemon; it looks like http://127.0.0.1:3000.")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.url = url.rstrip("/")
        self._prefix = parts.path.rstrip("/")
        self._line = kind(parts.hostname, port, timeout=_seconds_to_answer)

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *fault: object) -> None:
        self._line.close()

    def health(self) -> dict[str, Any]:
        """What the daemon says of itself; one that cannot write answers as well.

        Raises:
            DaemonUnreachable: nothing answers, or something that is no hippo daemon.
        """
        answer = self._send("GET", "/health", None, _seconds_to_greet)[1]
        if not isinstance(answer, dict) or "version" not in answer:
            raise DaemonUnreachable(url=self.url, why="what listens there is another program")
        return answer

    def get(self, path: str, query: Mapping[str, Any], *, seconds: float | None = _seconds_to_answer) -> Any:
        """Ask a route. A list in the query is repeated, None is left out.

        Raises:
            HippoError: the daemon's own, or DaemonUnreachable.
        """
        return self._checked("GET", path + _query(query), None, seconds)

    def send(self, method: str, path: str, body: Any, *, seconds: float | None = _seconds_to_answer) -> Any:
        """Send JSON to a route, by another method than GET.

        Raises:
            HippoError: the daemon's own, or DaemonUnreachable.
        """
        return self._checked(method, path, json.dumps(body).encode("ascii"), seconds)

    def get_file(self, path: str, query: Mapping[str, Any], write: Callable[[bytes], object]) -> str:
        """Take a file from a route, piece by piece, as long as it takes.

        Args:
            write: called with each piece.
        Returns:
            The name that the daemon gives the file; empty where it gives none.
        Raises:
            HippoError: the daemon's own, or DaemonUnreachable, also where the file ends too soon.
        """
        try:
            response = self._begin("GET", path + _query(query), None, {}, None)
            if response.status >= 400:
                raise as_error(_decoded(response.read()), _unexplained(response.status, path))
        except (OSError, http.client.HTTPException) as fault:
            raise self._unreachable(fault) from fault
        while True:
            try:
                piece = response.read(limits.send_piece_bytes)
            except (OSError, http.client.HTTPException) as fault:
                self._line.close()
                raise DaemonUnreachable(url=self.url, why="it broke off in the middle of its answer") from fault
            if not piece:
                break
            write(piece)
        told = _file_name.search(response.getheader("Content-Disposition", ""))
        return unquote(told[1]) if told else ""

    def post_file(self, path: str, query: Mapping[str, Any], size: int, pieces: Iterable[bytes]) -> Any:
        """Send a file to a route, and wait for what becomes of it as long as it takes.

        Args:
            size: of all pieces, in bytes.
        Raises:
            HippoError: the daemon's own, or DaemonUnreachable.
        """
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
        return self._checked("POST", path + _query(query), pieces, None, headers)

    def _checked(self, method: str, path: str, body: bytes | Iterable[bytes] | None, seconds: float | None,
                 headers: Mapping[str, str] | None = None) -> Any:
        status, answer = self._send(method, path, body, seconds, headers)
        if status >= 400:
            raise as_error(answer, _unexplained(status, path))
        return answer

    def _send(self, method: str, path: str, body: bytes | Iterable[bytes] | None, seconds: float | None,
              headers: Mapping[str, str] | None = None) -> tuple[int, Any]:
        if headers is None:
            headers = {"Content-Type": "application/json"} if body is not None else {}
        try:
            response = self._begin(method, path, body, headers, seconds)
            raw = response.read(_answer_bytes_max)
        except (OSError, http.client.HTTPException) as fault:
            raise self._unreachable(fault) from fault
        try:
            return response.status, json.loads(raw) if raw else None
        except ValueError as fault:
            raise DaemonUnreachable(url=self.url, why="what listens there does not answer in JSON") from fault

    def _begin(self, method: str, path: str, body: bytes | Iterable[bytes] | None, headers: Mapping[str, str],
               seconds: float | None) -> http.client.HTTPResponse:
        """Send a request; the answer, of which the head is read."""
        self._line.timeout = seconds
        if self._line.sock is not None:
            self._line.sock.settimeout(seconds)
        try:
            self._line.request(method, self._prefix + path, body, {"Accept": "application/json", **headers})
        except (BrokenPipeError, ConnectionResetError):
            if self._line.sock is None:
                raise
            # A daemon that refuses what is sent may hang up before it has all of it: its answer says why.
        return self._line.getresponse()

    def _unreachable(self, fault: Exception) -> DaemonUnreachable:
        self._line.close()
        return DaemonUnreachable(url=self.url, why=str(fault) or type(fault).__name__)


def _query(given: Mapping[str, Any]) -> str:
    """What follows the path: a list is repeated, None is left out."""
    plain = {name: [_spelled(one) for one in value] if isinstance(value, list) else _spelled(value)
             for name, value in given.items() if value is not None}
    return "?" + urlencode(plain, doseq=True) if plain else ""


def _spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else whole(str(value))


def _decoded(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None


def _unexplained(status: int, path: str) -> str:
    return f"HTTP {status} at {path.partition('?')[0]}"


def as_error(answer: Any, otherwise: str) -> HippoError:
    """The error that an answer on the wire stands for.

    Args:
        answer: {"error": {"code", "message", "hint"}}, from a daemon that may know more codes than this release.
        otherwise: what to say where the answer has no such shape.
    Returns:
        An error of the class with that code, with the daemon's words.
    """
    told = answer.get("error") if isinstance(answer, dict) else None
    told = told if isinstance(told, dict) else {}
    code = str(told.get("code", "error"))
    kind = next((kind for kind in errors.table() if kind.code == code), HippoError)
    here = type(kind.__name__, (kind,), {"__doc__": "{message}", "hint": "{hint}", "code": code})
    return cast(HippoError, here(message=str(told.get("message", otherwise)), hint=str(told.get("hint", ""))))


def path_of(route: str, given: dict[str, Any]) -> str:
    """The path of a route such as /api/memories/{id}.

    Args:
        route: with one name in braces at most.
        given: what fills it in is taken out of this; where it is not there, the path ends before it.
    """
    start, brace, more = route.partition("{")
    name, _, rest = more.partition("}")
    if not brace:
        return route
    value = given.pop(name, None)
    return start.rstrip("/") if value is None else f"{start}{quote(whole(value), safe='')}{rest}"
