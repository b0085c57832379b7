"""Flags, environment and hippo.toml become one frozen Settings, checked once.

1. A flag wins over the environment, the environment over hippo.toml in the store's folder, that over the default.
2. A setting's own name wins over its other names. A blank value in the environment counts as unset.
3. A value that cannot be used is an error that names where it came from and says what is accepted.
4. A name that starts with HIPPO_ and is not known, or an unknown key of hippo.toml, is a warning with the nearest.
5. There is no login yet, so only this machine may reach the daemon: any other address or host name is refused.
6. In hippo.toml a table is a prefix: `[sleep] hour = 3` is `sleep_hour = 3`.
"""

from __future__ import annotations

import ipaddress
import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from hippo import limits
from hippo.errors import BadSetting

DIR_DEFAULT = "~/.local/share/hippo"
FILE_NAME = "hippo.toml"
KNOWN_SITES = (
    "https://claude.ai", "https://chatgpt.com", "https://chat.openai.com", "https://gemini.google.com",
    "https://aistudio.google.com", "https://grok.com", "https://www.perplexity.ai", "https://copilot.microsoft.com",
    "https://chat.mistral.ai", "https://chat.deepseek.com",
)


APPEND_ONLY = ("ops:daily-log:", "ops:session-check", "synthesis:")


class Settings(Struct, frozen=True, kw_only=True):
    """All settings of one daemon. Durations are seconds, `epoch` is UTC milliseconds; SETTINGS says what each means."""

    dir: Path
    host: str = "127.0.0.1"
    port: int = limits.port_default
    transport: str = "http"
    tools: str = "standard"
    embedder: str = "wordllama"
    retention_weight: float = limits.retention_weight_default
    budget_bytes: int | None = None
    sleep_enabled: bool = True
    sleep_hour: int = limits.sleep_hour_default
    sleep_interval: float | None = None
    sleep_decay: bool = True
    sleep_preserve_originals: bool = False
    fact_guard: bool = True
    append_only_prefixes: tuple[str, ...] = APPEND_ONLY
    context_max_observations: int = limits.context_observations_default
    messages_db: Path | None = None
    messages_table: str = "messages"
    tz: str | None = None
    epoch: int | None = None
    demo: bool = False
    allowed_hosts: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = KNOWN_SITES
    log_level: str = "info"
    idle_exit_seconds: float | None = None

    @property
    def zone(self) -> tzinfo:
        """The person's zone: the one named by `tz`, else the host's."""
        if self.tz is not None:
            from zoneinfo import ZoneInfo

            return ZoneInfo(self.tz)
        from dateutil.tz import gettz, tzlocal  # type: ignore[import-untyped]  # it ships no types

        host: tzinfo = gettz() or tzlocal()
        return host


class Reading(NamedTuple):
    """How a value is read: `read` raises ValueError for what is not accepted, `accepts` says what is."""

    accepts: str
    read: Callable[[Any], Any]


class Setting(NamedTuple):
    """One row of the table. `internal` ones are passed between commands, never read from outside."""

    name: str
    reading: Reading
    meaning: str
    other_names: tuple[str, ...] = ()
    internal: bool = False

    @property
    def variable(self) -> str:
        """The name in the environment."""
        return f"HIPPO_{self.name.upper()}"


class Row(NamedTuple):
    """One setting in words, for the docs and for `--help`."""

    name: str
    variable: str
    accepts: str
    default: str
    meaning: str
    other_names: tuple[str, ...]


# -- how values are read --------------------------------------------------------------------------------------------


def _plain(value: object) -> str:
    if isinstance(value, bool | list | dict):
        raise ValueError
    return str(value).strip()


def _whole(lowest: int, highest: int | None = None) -> Reading:
    def read(value: Any) -> int:
        number = int(_plain(value))
        if number < lowest or (highest is not None and number > highest):
            raise ValueError
        return number

    bounds = f"{lowest} to {highest}" if highest is not None else f"{lowest} or more"
    return Reading(f"a whole number, {bounds}", read)


def _fraction(lowest: float, highest: float) -> Reading:
    def read(value: Any) -> float:
        number = float(_plain(value))
        if not lowest <= number <= highest:
            raise ValueError
        return number

    return Reading(f"a number from {lowest:g} to {highest:g}", read)


def _one_of(*words: str, **also: str) -> Reading:
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


def _or_none(reading: Reading) -> Reading:
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


def _folder(value: Any) -> Path:
    folder = Path(_plain(value)).expanduser()
    if folder.is_file():
        raise ValueError
    return folder.absolute()


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


NO_LOGIN = "this release has no login yet, so only this machine may reach it"
SWITCH = Reading("on or off", _switch)
DURATION = Reading("seconds, or a number with s, m, h or d (30m, 6h)", _duration)

SETTINGS: tuple[Setting, ...] = (
    Setting("dir", Reading("a folder", _folder), "The folder that holds the store, and hippo.toml.",
            ("MEMORY_DIR", "HIPPO_DB", "HIPPO_DB_PATH")),
    Setting("host", Reading(f"an address of this machine: 127.0.0.1, ::1 or localhost ({NO_LOGIN})", _local_host),
            "The address the daemon listens on.", ("HOST",)),
    Setting("port", _whole(0, 65_535), "The port the daemon listens on; 0 takes any free one.", ("PORT",)),
    Setting("transport", _one_of("http", "stdio", streamable_http="http"),
            "How `hippo serve` talks: over HTTP, or over stdio as `hippo stdio` does."),
    Setting("tools", _one_of("core", "standard", "all"), "How many tools MCP clients are shown."),
    Setting("embedder", _one_of("wordllama", "term-frequency"),
            "What turns texts into vectors; a store stays with the one it was built with."),
    Setting("retention_weight", _fraction(0, limits.retention_weight_max),
            "How much what was recalled lately is favoured in recall."),
    Setting("budget_bytes", _or_none(_whole(1)), "The size the store should not exceed.", ("MEMORY_BUDGET_BYTES",)),
    Setting("sleep_enabled", SWITCH, "Whether passes of sleep run by themselves."),
    Setting("sleep_hour", _whole(0, 23), "The local hour of the nightly pass of sleep."),
    Setting("sleep_interval", _or_none(DURATION), "Runs a pass of sleep this often, instead of every night."),
    Setting("sleep_decay", SWITCH, "Whether associations that are not used grow weaker in a pass of sleep."),
    Setting("sleep_preserve_originals", SWITCH,
            "Whether the exact text of what is abridged is kept as well, in dense packs that are slow to read.",
            ("HIPPO_PRESERVE_ORIGINALS",)),
    Setting("fact_guard", SWITCH, "Whether abridging only ever leaves words out, and never one that a fact hangs on. "
            "Off: what fades is filled in with the words of its schema, which may be wrong."),
    Setting("append_only_prefixes", Reading("beginnings of names, separated by commas; or none", _prefixes),
            "Entities whose names begin like this are logs: each entry stands for itself, and none is ever stale."),
    Setting("context_max_observations", _whole(1, 10_000),
            "How many memories the resource of the whole context holds at most."),
    Setting("messages_db", _or_none(Reading("a file", lambda value: Path(_plain(value)).expanduser().absolute())),
            "A SQLite file with messages of your own, which searching conversations reads as well. They are those of "
            "the agent that a row names, or the default agent's where none does."),
    Setting("messages_table", Reading("a name", _plain), "The FTS5 table of messages in that file."),
    Setting("tz", _or_none(Reading("a zone name such as Europe/Vienna", _zone_name)),
            "The person's time zone, for days and nights; the host's when not set."),
    Setting("epoch", _or_none(_whole(0, limits.instant_ms_max)),
            "Freezes the clock at this UTC millisecond, for runs that can be repeated.", ("DEMO_EPOCH",)),
    Setting("demo", SWITCH, "Allows the clock to be moved on by days."),
    Setting("allowed_hosts", Reading(f"names of this machine, separated by commas ({NO_LOGIN})", _local_hosts),
            "Further host names that requests may be addressed to."),
    Setting("cors_origins", Reading("origins such as https://claude.ai, separated by commas", _origins),
            "The web pages that may call the daemon; by default the known AI sites."),
    Setting("log_level", _one_of("debug", "info", "warning", "error"), "How much the daemon writes to its log."),
    Setting("idle_exit_seconds", _or_none(DURATION), "Ends the daemon once nobody has used it for this long.",
            internal=True),
)

assert tuple(row.name for row in SETTINGS) == Settings.__struct_fields__

# -- where values come from -----------------------------------------------------------------------------------------


def _from_environment(setting: Setting, environ: Mapping[str, str]) -> tuple[str, str] | None:
    for variable in (setting.variable, *setting.other_names):
        value = environ.get(variable, "")
        if not value.strip():
            continue
        if variable == "HOST" and not _is_address(value):
            continue  # shells and compilers keep the machine's own name in HOST: that is not meant for us
        return variable, value
    return None


def _is_address(value: str) -> bool:
    try:
        ipaddress.ip_address(value.strip())
    except ValueError:
        return value.strip().lower() == "localhost"
    return True


def _read(setting: Setting, source: str, value: Any) -> Any:
    try:
        return setting.reading.read(value)
    except (ValueError, KeyError, IndexError) as refused:
        raise BadSetting(name=source, value=value, why=f"it takes {setting.reading.accepts}") from refused


def _from_file(folder: Path) -> dict[str, Any]:
    path = folder / FILE_NAME
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as fault:  # a TOML or UTF-8 error is a ValueError
        raise BadSetting(name=FILE_NAME, value=str(path), why=f"it cannot be read: {fault}") from fault
    return dict(_flat(tables))


def _flat(tables: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}_")
        else:
            yield prefix + key, value


def _nearest(name: str, known: Iterable[str]) -> str:
    from rapidfuzz import fuzz, process

    best = process.extractOne(name, list(known), scorer=fuzz.ratio, score_cutoff=75)
    return f" Did you mean {best[0]}?" if best else ""


def _warnings(environ: Mapping[str, str], file: Mapping[str, Any]) -> list[str]:
    rows = [row for row in SETTINGS if not row.internal]
    variables = [row.variable for row in rows]
    known = {*variables, *(other for row in rows for other in row.other_names)}
    names = [row.name for row in rows]
    return [
        *(f"{variable} is not a setting of this release.{_nearest(variable, variables)}"
          for variable in sorted(environ) if variable.startswith("HIPPO_") and variable not in known),
        *(f"{key} in {FILE_NAME} is not a setting of this release.{_nearest(key, names)}"
          for key in file if key not in names),
        *([f"dir in {FILE_NAME} changes nothing: the file is found through it."] if "dir" in file else []),
    ]


def load(flags: Mapping[str, object], environ: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Read every setting from where it is set.

    Args:
        flags: by setting name; None counts as not given. The only source of internal settings.
        environ: the environment.
    Returns:
        The settings, and a sentence for each name that is not known.
    Raises:
        BadSetting: a value is not accepted, or hippo.toml cannot be read.
    """
    values: dict[str, Any] = {}
    file: dict[str, Any] = {}
    for setting in SETTINGS:  # the folder comes first: the file lies in it
        given = flags.get(setting.name)
        found = None if setting.internal else _from_environment(setting, environ)
        if given is not None:
            values[setting.name] = _read(setting, "--" + setting.name.replace("_", "-"), given)
        elif found is not None:
            values[setting.name] = _read(setting, *found)
        elif setting.name == "dir":
            values["dir"] = _folder(DIR_DEFAULT)
        elif setting.name in file and not setting.internal:
            values[setting.name] = _read(setting, f"{setting.name} in {FILE_NAME}", file[setting.name])
        if setting.name == "dir":
            file = _from_file(values["dir"])
    return Settings(**values), _warnings(environ, file)


def describe() -> list[Row]:
    """Every setting a person can set, in the order of the table.

    Returns:
        One row for each, all in words.
    """
    defaults = Settings(dir=Path(DIR_DEFAULT))
    return [Row(row.name, row.variable, row.reading.accepts, _in_words(getattr(defaults, row.name)), row.meaning,
                row.other_names) for row in SETTINGS if not row.internal]


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return "none" if value is None else str(value)
