"""`hippo stats`."""

from __future__ import annotations

from typing import Any

import click

from hippo.cli.brain import ask
from hippo.cli.options import Seat, seated
from hippo.cli.terminal import Waiting, escaped, moment, paint, remark, say, say_json, say_table, size
from hippo.errors import StoreDamaged
from hippo.model.verb import MemoryStats

_counts = ("memories", "agents", "associations", "schemas")
_bytes = ("content_bytes", "dictionary_bytes", "index_bytes", "journal_bytes", "total_bytes", "parity_bytes",
          "cache_bytes", "log_bytes", "raw_bytes", "budget_bytes")


@click.command()
@click.option("--verify", is_flag=True, help="Decode every memory and check it.")
@seated(agent=False)
def stats(seat: Seat, verify: bool) -> int:
    """Show the figures of the whole store."""
    brain = seat.brain()
    with Waiting("verifying" if verify else "asking"):
        answer = ask(brain, "stats", MemoryStats(verify=verify))
    if seat.as_json:
        say_json(answer)
    else:
        _print(seat, answer)
    return StoreDamaged.exit_code if verify and answer["unrecoverable"] else 0


def _print(seat: Seat, answer: dict[str, Any]) -> None:
    say("  ".join(f"{answer[name]} {paint(name, dim=True)}" for name in _counts))
    say()
    say_tiers(answer["tiers"])
    say()
    say_table(("bytes", ""), [(name.removesuffix("_bytes"), size(answer[name])) for name in _bytes
                              if answer.get(name) is not None], right=[1])
    say()
    verified = moment(answer["verified_at"], seat.settings.zone) if answer.get("verified_at") else "not yet"
    say(f"embedder {escaped(answer['embedder'])}, verified {verified}, "
        f"unrecoverable {answer['unrecoverable']}, version {answer['version']}")
    for sentence in (*(answer.get("damage") or ()), answer.get("alert")):
        if sentence:
            remark(paint("⚠ " + escaped(sentence), fg="yellow"))


def say_tiers(tiers: dict[str, Any]) -> None:
    """Show the figures of each tier as a table."""
    say_table(("tier", "memories", "raw", "stored", "ratio", "ROUGE-L"),
              [(name, row["count"], size(row["raw_bytes"]), size(row["stored_bytes"]), f"{row['ratio']:.2f}",
                f"{row['rouge_l_mean']:.2f}") for name, row in tiers.items()], right=[1, 2, 3, 4, 5])
