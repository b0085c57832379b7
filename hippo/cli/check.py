"""`hippo check`: every invariant of the store, verified on the folder itself."""

from __future__ import annotations

import click

from hippo.cli.brain import has_store
from hippo.cli.daemon_link import owner_of
from hippo.cli.options import Seat, seated
from hippo.cli.terminal import Waiting, escaped, paint, remark, say, say_json
from hippo.errors import StoreDamaged, StoreInUse, StoreMissing
from hippo.store.check import Finding
from hippo.store.check import check as verify
from hippo.store.disk import FolderDisk

_colours = {"error": "red", "warning": "yellow", "note": "cyan"}


class _BesideItsOwner(FolderDisk):
    """A folder that is only read, while its owner goes on writing."""

    def lock(self) -> None:
        """Nothing: the owner has the lock."""


@click.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended; no daemon may be running.")
@seated(agent=False, url=False)
def check(seat: Seat, repair: bool) -> int:
    """Verify every invariant of the store, and mend what can be mended.

    Without --repair it only reads. It ends with a code other than 0 when damage is left.
    """
    folder = seat.settings.dir
    if not has_store(folder):
        raise StoreMissing(folder=folder)
    with Waiting("checking"):
        try:
            findings = verify(FolderDisk(folder), repair)
        except StoreInUse:
            if repair:
                raise
            owner = owner_of(folder)
            remark(f"Process {owner.pid if owner else 'unknown'} owns this store: what it writes meanwhile may look "
                   "damaged.")
            findings = verify(_BesideItsOwner(folder), repair=False)
    left = sum(not finding.mended and finding.severity != "note" for finding in findings)
    if seat.as_json:
        say_json({"findings": [finding._asdict() for finding in findings]})
    else:
        for finding in findings:
            _print(finding)
        if not findings:
            say(f"{paint('✔', fg='green')} {escaped(str(folder))}: every invariant holds.")
    if left and not repair:
        remark(f"{left} to mend: `hippo check --repair` mends what can be mended.")
    elif left:
        remark(f"{left} cannot be mended; a backup of the folder may still hold what is lost.")
    return StoreDamaged.exit_code if left else 0


def _print(finding: Finding) -> None:
    mark = paint("mended", fg="green") if finding.mended else paint(
        finding.severity, fg=_colours.get(finding.severity, "red"))
    where = f"{escaped(finding.file)} " if finding.file else ""
    say(f"{mark}  {where}({finding.invariant})  {escaped(finding.sentence)}")
