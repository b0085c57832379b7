"""The laboratory: `python -m sims.laboratory [--experiment NAME] [--seed N] [--plots FOLDER]`.

Classic findings about human memory, looked for in the real daemon, in this process, with a frozen clock. Each prints a
table, the directions it claims with their margins, and what it only observed; with `--plots` it draws a PNG.
Ends non-zero when a direction is not there. `docs/laboratory.md` is written by `--docs docs`.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import trio

from sims.scenes import contiguity, fan, forgetting, interference, spacing, testing
from sims.scenes.finding import Finding
from sims.scenes.plots import draw

SEED = 1
EXPERIMENTS: dict[str, tuple[Callable[[int, int], Awaitable[Finding]], int]] = {  # name -> how it runs, with how many
    "forgetting": (forgetting.run, forgetting.ITEMS),
    "spacing": (spacing.run, spacing.ITEMS),
    "testing": (testing.run, testing.ITEMS),
    "contiguity": (contiguity.run, contiguity.ITEMS),
    "interference": (interference.run, interference.ITEMS),
    "fan": (fan.run, fan.ITEMS),
}
_WIDTH = 118
_HEAD = """# The laboratory

hippo takes its rules from what is known of human memory. Whether the rules together also behave like it can be
measured: these are classic findings, looked for in the real daemon by `remember`, `recall`, `inspect` and a frozen
clock, as any client could. No experiment reaches inside.

A claim compares two conditions over the same or over different items; it holds when the lower end of the 99 % interval
of the difference lies above a margin. Where hippo differs from people all the same is written down too.

`python -m sims.laboratory` runs all of them and ends non-zero when a direction is not there; `--plots FOLDER` draws
(`pip install -e ".[sims]"`). This page is written by `python -m sims.laboratory --docs docs`, with seed {seed}.

Retention decides little as hippo is shipped (`HIPPO_RETENTION_WEIGHT` 0.03: more of it makes what was just recalled
crowd out what was never asked). Where an experiment needs its effect on the order of results to show, it says so and
sets the weight to the largest allowed, 0.5.
"""


def experiment(name: str, seed: int = SEED, items: int | None = None) -> Finding:
    """Runs one experiment.

    Args:
        name: of EXPERIMENTS. items: sentences (or lists) for each condition; as many as it takes where left out.
    """
    run, enough = EXPERIMENTS[name]
    return trio.run(run, seed, items or enough)


def told(finding: Finding) -> str:
    """A finding for people."""
    parts = [finding.name.upper(), *textwrap.wrap(f"People: {finding.people} ({finding.source}).", _WIDTH),
             *textwrap.wrap(f"Measured: {finding.measure}.", _WIDTH), "", finding.table(), ""]
    for line in (*map(str, finding.claims), f"Differs: {finding.differs}.", *finding.observed):
        parts += textwrap.wrap(line, _WIDTH, initial_indent="- ", subsequent_indent="  ")
    return "\n".join(parts)


def document(findings: Sequence[Finding], seed: int) -> str:
    """What was found, as a page of Markdown."""
    lines = [_HEAD.format(seed=seed), "| experiment | people | here | where hippo differs |", "|---|---|---|---|"]
    lines += [f"| [{one.name}](#{one.name}) | {one.people} | {'the same' if one.holds else '**not so**'} "
              f"| {one.differs} |" for one in findings]
    for one in findings:
        lines += ["", f"## {one.name.capitalize()}", "", f"{one.people} ({one.source}).", "",
                  f"Measured: {one.measure}.", "", f"![{one.plot.title}](laboratory/{one.name}.png)", "",
                  f"| {' | '.join(one.titles)} |", "|" + "---:|" * len(one.titles)]
        lines += [f"| {' | '.join(row)} |" for row in one.rows]
        lines += ["", *(f"* {claim}" for claim in one.claims), "", "Observed, nothing depends on it:", "",
                  *(f"* {line}" for line in one.observed), "",
                  f"`python -m sims.laboratory --experiment {one.name}`"]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Runs what the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m sims.laboratory", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiment", choices=EXPERIMENTS, action="append", help="one of them; all where left out")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--plots", type=Path, help="a folder for the drawings (needs the extra `sims`)")
    parser.add_argument("--docs", type=Path, help="a folder for the page of everything and its drawings")
    given = parser.parse_args()
    print(f"seed {given.seed}\n", flush=True)
    plots = given.docs / "laboratory" if given.docs else given.plots
    findings = []
    for name in given.experiment or EXPERIMENTS:
        began = time.monotonic()
        findings.append(experiment(name, given.seed))
        print(f"{told(findings[-1])}\n({time.monotonic() - began:.1f} s)\n", flush=True)
        if plots is not None:
            plots.mkdir(parents=True, exist_ok=True)
            draw(findings[-1].plot, plots / f"{name}.png")
    if given.docs:
        (given.docs / "laboratory.md").write_text(document(findings, given.seed))
    missing = [one.name for one in findings if not one.holds]
    print(f"not as people do: {', '.join(missing)}" if missing else "every direction is there")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
