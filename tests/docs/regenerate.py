"""The pages of `docs/` that are made from tables: `python -m tests.docs.regenerate` writes them anew."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

EVENTS = {
    "remembered": "A memory is stored: its `id`, `tier`, `kind`, `created_at`.",
    "revised": "A memory says something else now, or has other facts: its `id`, `tier`, `kind`, `created_at`.",
    "forgotten": "Memories were erased for good: their `ids`.",
    "recalled": "Memories came to mind: `hits` with `id`, `activation`, `why` and the `path` of ids that led there; "
                "`learned` says whether they were strengthened.",
    "sleep.started": "A pass begins: its `depth` and `cause`.",
    "sleep.decay": "Associations `decayed` and `pruned`.",
    "sleep.tiers": "How many memories moved into each tier.",
    "sleep.schemas": "How many memories were `given` a schema so far.",
    "sleep.seal": "Packs written so far: `done` of `total`.",
    "sleep.finished": "A pass has ended: texts `sealed`, `total_bytes` of the store.",
    "tiers": "How many memories each tier holds now.",
    "budget": "The store was weighed against its budget: the `alert`, null while it fits.",
    "lagged": "This reader was too slow and missed events: fetch anew what it shows.",
}


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    def line(cells: Iterable[object]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    head = list(head)
    return "\n".join([line(head), line("---" for _ in head), *map(line, rows)]) + "\n"


def settings_page() -> str:
    """Every setting."""
    from hippo.settings import describe

    return ("# Settings\n\nA flag of `hippo serve` (`--sleep-hour 4`) wins over the environment (`HIPPO_SLEEP_HOUR=4`), "
            "the environment over `hippo.toml` in the store's folder, that over the default. In the file a table is a "
            "prefix: `[sleep]` with `hour = 4` says the same as `sleep_hour = 4`. A blank variable counts as unset, and "
            "`HOST` as well unless it is an address or `localhost`: many shells keep the machine's own name there. A "
            "value that cannot be used is refused by name; an unknown name is a warning with the nearest.\n\n" + _table(
                ("setting", "variable", "accepts", "default", "meaning", "other names"),
                ((f"`{row.name}`", f"`{row.variable}`", row.accepts, f"`{row.default}`", row.meaning,
                  ", ".join(f"`{name}`" for name in row.other_names)) for row in describe())))


def errors_page() -> str:
    """Every error."""
    from hippo.errors import table

    def words(text: str) -> str:  # what is filled in, in italics
        return re.sub(r"\{(\w+)(?:!r)?\}", r"*\1*", " ".join(text.split()))

    return ("# Errors\n\nOn the wire: `{\"error\": {\"code\", \"message\", \"hint\"}}` with the HTTP status. On the command "
            "line: a line on stderr, the hint, and the exit code; with `--json` the wire shape on stdout as well. Ctrl-C "
            "ends with 130, a reader of stdout that went away with 141.\n\n" + _table(
                ("code", "class", "exit code", "HTTP status", "message", "what to do"),
                ((f"`{kind.code}`", f"`{kind.__name__}`", kind.exit_code, kind.http_status, words(kind.__doc__ or ""), words(kind.hint))
                 for kind in table())))


def commands_page() -> str:
    """Every command."""
    from hippo.cli.program import COMMANDS, program

    parts = ["# Commands\n\nThey talk to the daemon that owns the store; where none runs they open the store themselves. "
             "`--json` answers in the shape of the REST API. Exit codes are those of [errors.md](errors.md).\n"]
    with click.Context(program, info_name="hippo", **program.context_settings) as context:
        for name in COMMANDS:
            command = program.get_command(context, name)
            assert command is not None
            rows = []
            with click.Context(command, info_name=name, parent=context) as inner:
                usage = " ".join(command.collect_usage_pieces(inner))
                parts.append(f"## hippo {name}\n\n`hippo {name} {usage}`\n\n{(command.help or '').strip()}\n")
                for parameter in command.get_params(inner):
                    record = parameter.get_help_record(inner)
                    if record is not None:
                        rows.append((f"`{record[0]}`", record[1]))
            parts.append(_table(("option", "meaning"), rows))
    return "\n".join(parts)


def interfaces_page() -> str:
    """Every tool, route and event."""
    from hippo.interfaces.mcp.tools import SETS
    from hippo.interfaces.rest import ROUTES
    from hippo.interfaces.schema import argument_schema

    parts = ["# Interfaces\n\nMCP at `POST /mcp` (Streamable HTTP, both protocol eras) and over `hippo stdio`; "
             "REST and events below `/api`. `GET /api/openapi.json` describes the routes for programs.\n\n## Tools\n"]
    for tool in SETS["all"]:
        parts.append(f"### {tool.name}\n\n{tool.description}\n")
        parts.append(_table(("argument", "meaning"), (
            (f"`{name}`", schema.get("description", "")) for name, schema in
            argument_schema(tool.verb)["properties"].items())))
    parts.append("## Routes\n\n" + _table(("route", "what it does"), [
        *((f"`{route.method} {route.path}`", route.summary) for route in ROUTES),
        ("`POST /mcp`", "MCP"), ("`GET /metrics`", "Figures for Prometheus"), ("`GET /`", "The page"),
        ("`GET /api/openapi.json`", "The routes as OpenAPI 3.1")]))
    parts.append("## Events\n\n`GET /api/events?agent_id=…`; `Last-Event-ID` resumes.\n\n" + _table(
        ("event", "what it says"), ((f"`{name}`", meaning) for name, meaning in EVENTS.items())))
    return "\n".join(parts)


def limits_page() -> str:
    """Every limit, as the source says it."""
    rows = []
    for line in (ROOT / "hippo" / "limits.py").read_text("utf-8").splitlines():
        if found := re.match(r"(\w+) = ([^#]+?)(?:\s+#\s*(.*))?$", line):
            rows.append((f"`{found[1]}`", f"`{found[2]}`", found[3] or ""))
    return "# Limits\n\nThe unit is the last word of a name.\n\n" + _table(("limit", "value", ""), rows)


PAGES = {"settings.md": settings_page, "errors.md": errors_page, "commands.md": commands_page,
         "interfaces.md": interfaces_page, "limits.md": limits_page}

if __name__ == "__main__":
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), "utf-8")
