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
import tomllib
from collections.abc import Iterable, Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from hippo import limits
from hippo.errors import BadSetting
from hippo.readings import (
    ADDRESS,
    APPEND_ONLY,
    DURATION,
    FILE,
    FOLDER,
    LOCAL_HOST,
    LOCAL_HOSTS,
    ORIGINS,
    PREFIXES,
    SECRET,
    SWITCH,
    WORD,
    ZONE,
    Reading,
    Secret,
    folder,
    fraction,
    one_of,
    or_none,
    whole,
)

DIR_DEFAULT = "~/.local/share/hippo"
FILE_NAME = "hippo.toml"
KNOWN_SITES = (
    "https://claude.ai", "https://chatgpt.com", "https://chat.openai.com", "https://gemini.google.com",
    "https://aistudio.google.com", "https://grok.com", "https://www.perplexity.ai", "https://copilot.microsoft.com",
    "https://chat.mistral.ai", "https://chat.deepseek.com",
)


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
    llm_url: str | None = None
    llm_key: Secret | None = None
    llm_model: str | None = None
    embed_url: str | None = None
    embed_key: Secret | None = None
    embed_model: str | None = None
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
    def embedder_name(self) -> str:
        """The name of the embedder that is asked for, as a store records it."""
        return f"service:{self.embed_model}" if self.embed_url and self.embed_model else self.embedder

    @property
    def zone(self) -> tzinfo:
        """The person's zone: the one named by `tz`, else the host's."""
        if self.tz is not None:
            from zoneinfo import ZoneInfo

            return ZoneInfo(self.tz)
        from dateutil.tz import gettz, tzlocal  # type: ignore[import-untyped]  # it ships no types

        host: tzinfo = gettz() or tzlocal()
        return host


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


SETTINGS: tuple[Setting, ...] = (
    Setting("dir", FOLDER, "The folder that holds the store, and hippo.toml.",
            ("MEMORY_DIR", "HIPPO_DB", "HIPPO_DB_PATH")),
    Setting("host", LOCAL_HOST,
            "The address the daemon listens on.", ("HOST",)),
    Setting("port", whole(0, 65_535), "The port the daemon listens on; 0 takes any free one.", ("PORT",)),
    Setting("transport", one_of("http", "stdio", streamable_http="http"),
            "How `hippo serve` talks: over HTTP, or over stdio as `hippo stdio` does."),
    Setting("tools", one_of("core", "standard", "all"), "How many tools MCP clients are shown."),
    Setting("embedder", one_of("wordllama", "term-frequency"),
            "What turns texts into vectors; a store stays with the one it was built with."),
    Setting("retention_weight", fraction(0, limits.retention_weight_max),
            "How much what was recalled lately is favoured in recall."),
    Setting("budget_bytes", or_none(whole(1)), "The size the store should not exceed.", ("MEMORY_BUDGET_BYTES",)),
    Setting("sleep_enabled", SWITCH, "Whether passes of sleep run by themselves."),
    Setting("sleep_hour", whole(0, 23), "The local hour of the nightly pass of sleep."),
    Setting("sleep_interval", or_none(DURATION), "Runs a pass of sleep this often, instead of every night."),
    Setting("sleep_decay", SWITCH, "Whether associations that are not used grow weaker in a pass of sleep."),
    Setting("sleep_preserve_originals", SWITCH,
            "Whether the exact text of what is abridged is kept as well, in dense packs that are slow to read.",
            ("HIPPO_PRESERVE_ORIGINALS",)),
    Setting("fact_guard", SWITCH, "Whether abridging only ever leaves words out, and never one that a fact hangs on. "
            "Off: what fades is filled in with the words of its schema, which may be wrong."),
    Setting("append_only_prefixes", PREFIXES,
            "Entities whose names begin like this are logs: each entry stands for itself, and none is ever stale."),
    Setting("context_max_observations", whole(1, 10_000),
            "How many memories the resource of the whole context holds at most."),
    Setting("llm_url", or_none(ADDRESS),
            "Where a language model is asked to split texts into facts: any OpenAI-compatible service. Used only with "
            "llm_model; without both, rules do it and nothing leaves this machine.", ("OPENAI_BASE_URL",)),
    Setting("llm_key", or_none(SECRET), "The key of that service.", ("OPENAI_API_KEY",)),
    Setting("llm_model", or_none(WORD), "The name of the model there.", ("OPENAI_MODEL", "MEMORY_LLM")),
    Setting("embed_url", or_none(ADDRESS), "Where texts are turned into vectors instead of here: any service with "
            "OpenAI's /v1/embeddings. Used only with embed_model; a store stays with the one it was built with."),
    Setting("embed_key", or_none(SECRET), "The key of that service."),
    Setting("embed_model", or_none(WORD), "The name of the model there."),
    Setting("messages_db", or_none(FILE),
            "A SQLite file with messages of your own, which searching conversations reads as well. They are those of "
            "the agent that a row names, or the default agent's where none does."),
    Setting("messages_table", WORD, "The FTS5 table of messages in that file."),
    Setting("tz", or_none(ZONE),
            "The person's time zone, for days and nights; the host's when not set."),
    Setting("epoch", or_none(whole(0, limits.instant_ms_max)),
            "Freezes the clock at this UTC millisecond, for runs that can be repeated.", ("DEMO_EPOCH",)),
    Setting("demo", SWITCH, "Allows the clock to be moved on by days."),
    Setting("allowed_hosts", LOCAL_HOSTS,
            "Further host names that requests may be addressed to."),
    Setting("cors_origins", ORIGINS,
            "The web pages that may call the daemon; by default the known AI sites."),
    Setting("log_level", one_of("debug", "info", "warning", "error"), "How much the daemon writes to its log."),
    Setting("idle_exit_seconds", or_none(DURATION), "Ends the daemon once nobody has used it for this long.",
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
            values["dir"] = folder(DIR_DEFAULT)
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
