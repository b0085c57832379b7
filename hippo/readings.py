"""Readings: how a setting's value is understood, and what is accepted in its place, in words.

A reading raises ValueError (or KeyError, IndexError) for what it does not accept. Values come as strings, or as TOML
has them.
"""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

APPEND_ONLY = ("ops:daily-log:", "ops:session-check", "synthesis:")


class Reading(NamedTuple):
    """How a value is read: `read` raises ValueError for what is not accepted, `accepts` says what is."""

    accepts: str
    read: Callable[[Any], Any]


class Secret(str):
    """A value that is shown nowhere."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Secret(…)"


def _plain(value: object) -> str:
    if isinstance(value, bool | list | dict):
        raise ValueError
    return str(value).strip()


def whole(lowest: int, highest: int | None = None) -> Reading:
    def read(value: Any) -> int:
        number = int(_plain(value))
        if number < lowest or (highest is not None and number > highest):
            raise ValueError
        return number

    bounds = f"{lowest} to {highest}" if highest is not None else f"{lowest} or more"
    return Reading(f"a whole number, {bounds}", read)


def fraction(lowest: float, highest: float) -> Reading:
    def read(value: Any) -> float:
        number = float(_plain(value))
        if not lowest <= number <= highest:
            raise ValueError
        return number

    return Reading(f"a number from {lowest:g} to {highest:g}", read)


def one_of(*words: str, **also: str) -> Reading:
    def read(value: Any) -> str:
        word = _plain(value).lower()
        word = also.get(word.replace("-", "_"), word)
        if word not in words:
            raise ValueError
        return word

    return Reading(" or ".join((", ".join(words[:-1]), words[-1])), read)


def _switch(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = _plain(value).lower()
    if word not in ("on", "true", "yes", "1", "off", "false", "no", "0"):
        raise ValueError
    return word in ("on", "true", "yes", "1")


def _duration(value: Any) -> float:
    word = _plain(value).lower()
    seconds_of = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
    seconds = float(word[:-1]) * seconds_of[word[-1]] if word[-1:] in seconds_of else float(word)
    if not 0 < seconds < math.inf:
        raise ValueError
    return seconds


def or_none(reading: Reading) -> Reading:
    def read(value: Any) -> Any:
        return None if isinstance(value, str) and value.strip().lower() in ("none", "off") else reading.read(value)

    return Reading(f"{reading.accepts}; or none", read)


def _zone_name(value: Any) -> str:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    name = _plain(value)
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError) as missing:
        raise ValueError from missing
    return name


def folder(value: Any) -> Path:
    path = Path(_plain(value)).expanduser()
    if path.is_file():
        raise ValueError
    return path.absolute()


def _list(value: Any) -> tuple[str, ...]:
    rows: Iterable[object] = value if isinstance(value, list | tuple) else _plain(value).split(",")
    return tuple(row for row in (_plain(row) for row in rows) if row)


def is_loopback(host: str) -> bool:
    """Whether a host name or address, with or without a port, can only mean this machine."""
    name = host.strip().lower()
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") == 1:
        name = name.partition(":")[0]
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _local_host(value: Any) -> str:
    host = _plain(value)
    if not is_loopback(host) or host.startswith("[") or host.count(":") == 1:
        raise ValueError
    return host


def _local_hosts(value: Any) -> tuple[str, ...]:
    hosts = _list(value)
    if not all(is_loopback(host) for host in hosts):
        raise ValueError
    return hosts


def _origins(value: Any) -> tuple[str, ...]:
    origins = tuple(origin.rstrip("/") for origin in _list(value))
    if not all(origin == "*" or "://" in origin for origin in origins):
        raise ValueError
    return origins


def _prefixes(value: Any) -> tuple[str, ...]:
    given = _list(value)
    return () if given == ("none",) else given or APPEND_ONLY


def _secret(value: Any) -> Secret:
    return Secret(_plain(value))


def _address(value: Any) -> str:
    address = _plain(value)
    if not address.startswith(("http://", "https://")):
        raise ValueError
    return address


NO_LOGIN = "this release has no login yet, so only this machine may reach it"
SWITCH = Reading("on or off", _switch)
DURATION = Reading("seconds, or a number with s, m, h or d (30m, 6h)", _duration)
ADDRESS = Reading("an address such as http://127.0.0.1:11434/v1", _address)
SECRET = Reading("a key", _secret)
WORD = Reading("a name", _plain)
LOCAL_HOST = Reading(f"an address of this machine: 127.0.0.1, ::1 or localhost ({NO_LOGIN})", _local_host)
LOCAL_HOSTS = Reading(f"names of this machine, separated by commas ({NO_LOGIN})", _local_hosts)
ORIGINS = Reading("origins such as https://claude.ai, separated by commas", _origins)
PREFIXES = Reading("beginnings of names, separated by commas; or none", _prefixes)
ZONE = Reading("a zone name such as Europe/Vienna", _zone_name)
FOLDER = Reading("a folder", folder)
FILE = Reading("a file", lambda value: Path(_plain(value)).expanduser().absolute())
