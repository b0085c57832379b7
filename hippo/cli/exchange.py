"""`hippo export` and `hippo import`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from hippo.cli.answers import remark_on
from hippo.cli.brain import Source
from hippo.cli.daemon_link import as_error
from hippo.cli.options import Seat, given, seated
from hippo.cli.outlet import STDOUT, outlet
from hippo.cli.pace import Pace
from hippo.cli.terminal import escaped, remark, say, say_json, size
from hippo.errors import InvalidArgument, RowsFailed, SourceUnreadable
from hippo.model.imported import ImportFormat
from hippo.model.knowledge_verb import Export, ExportFormat

_failures_shown_max = 20


@click.command()
@click.option("--format", "form", type=click.Choice(get_args(ExportFormat)),
              help="json is complete: import gives the same memories back. obsidian is a vault of notes. "
                   "markdown when left out.")
@click.option("--output", metavar="FILE", help="A file, a folder, or - for stdout. With obsidian what does not end in "
                                               ".zip is the folder of the vault. Left out: a file in this folder.")
@click.option("--force", is_flag=True, help="Replace what is there.")
@seated()
def export(seat: Seat, form: ExportFormat | None, output: str | None, force: bool) -> None:
    """Write all that an agent knows to a file, for people or programs."""
    if output == STDOUT and seat.as_json:
        raise InvalidArgument(what="With --output - stdout is the export itself; --json says where a file was written.")
    request = Export(**given(format=form, agent_id=seat.agent))
    brain = seat.brain()
    written = 0
    with outlet(output, archive=request.format == "obsidian", force=force) as out:
        with Pace() as pace:
            pace.begin("exporting", unit=size)

            def write(piece: bytes) -> None:
                nonlocal written
                out.write(piece)
                written += len(piece)
                pace.advance(len(piece))

            name = brain.export(request, write)
        place = out.finish(name)
    if seat.as_json:
        say_json({"format": request.format, "file": str(place), "bytes": written})
    elif place is not None:
        say(f"{escaped(str(place))}  {size(written)}")


@click.command("import")
@click.argument("path")
@click.option("--format", "form", type=click.Choice(get_args(ImportFormat)),
              help="What it is; when left out, that is seen by what is in it.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@seated()
def import_(seat: Seat, path: str, form: ImportFormat | None, dry_run: bool) -> int:
    """Take memories over from a file or a folder.

    PATH is an export of hippo, of ChatGPT or Claude, a store of the MCP servers `memory`, mcp-memory-service or
    basic-memory, or notes in Markdown. The same import again changes nothing. It ends with a code other than 0 when
    rows failed.
    """
    source = Path(path).expanduser()
    if not source.exists():
        raise SourceUnreadable(source=path, why="there is no such file or folder")
    brain = seat.brain(writes=True)
    with Pace() as pace:
        answer = brain.import_from(Source(source, form, dry_run, seat.agent), pace)
    if seat.as_json:
        say_json(answer)
    else:
        _print(answer)
    stopped, failed = answer.get("stopped"), answer["outcomes"]["failed"]
    if stopped:
        fault = as_error({"error": stopped}, "")
    elif failed:
        fault = RowsFailed(count=failed, rows=answer["rows"])
    else:
        return 0
    remark(escaped(f"{fault.message} {'' if dry_run else fault.advice}".rstrip()))
    return fault.exit_code


def _print(answer: dict[str, Any]) -> None:
    counts = ", ".join(f"{count} {outcome}" for outcome, count in answer["outcomes"].items() if count)
    kinds = ", ".join(f"{count} {kind}" for kind, count in answer["kinds"].items() if count)
    say(f"{answer['format']}: {counts or 'nothing'}{' of ' + kinds if kinds else ''}")
    failures = answer["failures"][:_failures_shown_max]
    for row in failures:
        remark(f"failed: {escaped(row['where'])}: {escaped(row.get('why') or '')}")
    more = answer["outcomes"]["failed"] - len(failures)
    if more > 0:
        remark(f"… and {more} more; --json shows them.")
    remark_on(answer)
