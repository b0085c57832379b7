"""The program: which commands there are, and what becomes of their errors.

1. A command's module is imported when it is used: listing the commands reads nothing but this table.
2. An expected error is one line on stderr, a hint where there is one, and the exit code of its class. With --json its
   wire shape goes to stdout as well.
3. Wrong usage ends with the code of an invalid argument, Ctrl-C with 130. A reader that went away is no error.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

import click

from hippo import __version__
from hippo.cli.terminal import escaped, paint, prepare_streams, remark, say, say_json
from hippo.errors import HippoError, InvalidArgument

INTERRUPTED = 130
READER_GONE = 141  # as the shell shows a program that SIGPIPE ended


class Command(NamedTuple):
    """A command: the module below hippo.cli that holds it, what it does in one line, and its function where that cannot
    have the same name."""

    module: str
    line: str
    function: str | None = None


COMMANDS: dict[str, Command] = {
    "serve": Command("serve", "Run the daemon: MCP, REST and the page on one address."),
    "demo": Command("demo", "Watch a memory live: an assistant, two weeks of a household, and the page."),
    "stdio": Command("stdio", "Speak MCP over stdin and stdout, through the daemon that owns the store."),
    "remember": Command("remember", "Store a memory, or one for each line."),
    "facts": Command("facts", "Split a text into facts and store each, replacing what it outdates."),
    "recall": Command("recall", "Bring to mind what a cue is associated with."),
    "search": Command("recall", "Find the memories that contain exactly these characters."),
    "inspect": Command("browse", "Show everything about one memory."),
    "memories": Command("browse", "List memories by time, newest first."),
    "agents": Command("browse", "List whose memories the store holds."),
    "update": Command("edit", "Correct a memory; what it said stays in its history."),
    "restore": Command("browse", "Give an abridged memory its exact text back, where that was kept."),
    "merge": Command("edit", "Replace memories that say the same by one; they stay, superseded."),
    "merge-entities": Command("edit", "Give all memories of some entities to another."),
    "relate": Command("edit", "State how two entities are related."),
    "consolidate": Command("consolidate", "Find what could be tidied up, without changing anything."),
    "forget": Command("forget", "Erase memories for good."),
    "purge": Command("forget", "Erase superseded memories for good."),
    "blocks": Command("blocks", "List the named texts that always stand."),
    "block": Command("blocks", "Show a named text, add to it, change it or erase it."),
    "log": Command("conversation", "Keep messages of a conversation word for word, apart from memories."),
    "conversation": Command("conversation", "Search the logged messages by their words."),
    "export": Command("exchange", "Write all that an agent knows to a file, for people or programs."),
    "import": Command("exchange", "Take memories over from a file or a folder.", "import_"),
    "stats": Command("stats", "Show the figures of the whole store."),
    "sleep": Command("sleep", "Run a pass of sleep now."),
    "preview": Command("sleep", "Show what a pass of sleep would do now, without doing it."),
    "report": Command("sleep", "Show the report of the last pass of sleep."),
    "check": Command("check", "Verify every invariant of the store, and mend what can be mended."),
    "doctor": Command("doctor", "Say what works on this machine and what does not."),
}


class Program(click.Group):
    """The group of all commands, imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, its module imported now."""
        row = COMMANDS.get(cmd_name)
        if row is None:
            return None
        function = row.function or cmd_name.replace("-", "_")
        command: click.Command = getattr(importlib.import_module(f"hippo.cli.{row.module}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.line) for name, row in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first argument names, or say which one is nearest."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from rapidfuzz import process

            best = process.extractOne(args[0], list(COMMANDS), score_cutoff=60)
            nearest = f" Did you mean {best[0]}?" if best else ""
            raise click.UsageError(f"There is no command {args[0]}.{nearest}", ctx)
        return super().resolve_command(ctx, args)


def _show_version(ctx: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        say(f"hippo {__version__}")
        ctx.exit()


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
              help="Show the version and exit.")
def program() -> None:
    """A self-hosted, brain-inspired long-term memory for AI agents.

    `hippo serve` runs the daemon. The other commands talk to it if one owns the store, else open the store themselves.
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command.

    Args:
        arguments: the command line without the program's name.
    Returns:
        The exit code.
    """
    prepare_streams()
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    try:
        return _invoke(list(arguments))
    except BaseException as fault:
        return _end(_innermost(fault), as_json="--json" in options)
    finally:
        _flush()


def _invoke(arguments: list[str]) -> int:
    with program.make_context("hippo", arguments) as context:
        code = program.invoke(context)
    return code if isinstance(code, int) else 0


def _end(fault: BaseException, *, as_json: bool) -> int:
    match fault:
        case click.exceptions.Exit():
            return int(fault.exit_code)
        case click.exceptions.NoArgsIsHelpError():
            remark(fault.format_message())
            return InvalidArgument.exit_code
        case click.ClickException():
            return _complain(_usage(fault), as_json=as_json)
        case HippoError():
            return _complain(fault, as_json=as_json)
        case KeyboardInterrupt() | click.Abort():
            return INTERRUPTED
        case BrokenPipeError():
            return READER_GONE
    raise fault


def _innermost(fault: BaseException) -> BaseException:
    """What a group of one came from: a command has one cause of failure, however many nurseries it passed."""
    while isinstance(fault, BaseExceptionGroup) and len(fault.exceptions) == 1:
        fault = fault.exceptions[0]
    return fault


class _Usage(InvalidArgument):
    """{what}"""

    code, hint = "usage", "{advice}"


def _usage(fault: click.ClickException) -> HippoError:
    context = getattr(fault, "ctx", None)
    advice = f"`{context.command_path} --help` says what it takes." if context is not None else ""
    return _Usage(what=fault.format_message(), advice=advice)


def _complain(fault: HippoError, *, as_json: bool) -> int:
    if as_json:
        say_json(fault.as_dict())
    remark(paint("error:", sys.stderr, fg="red", bold=True) + " " + escaped(fault.message))
    if fault.advice:
        remark(paint("hint:", sys.stderr, fg="cyan") + " " + escaped(fault.advice))
    return fault.exit_code


def _flush() -> None:
    """Write out what is left. A reader that went away takes nothing more, and Python need not say so at exit."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
