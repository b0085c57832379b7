"""hippo check: every invariant of the store, verified on the folder itself."""

from __future__ import annotations

from typing import Any

import click
from msgspec import to_builtins

from hippo.cli.daemon_link import owner_of
from hippo.cli.options import Seat, seated
from hippo.cli.terminal import escaped, paint, remark, say, say_json
from hippo.errors import StoreDamaged, StoreInUse, StoreMissing


@click.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended.")
@seated(agent=False, url=False)
def check(seat: Seat, repair: bool) -> int:
    """Verify every invariant of the store, and say what is damaged. --repair mends what can be mended."""
    from hippo.cli.brain import has_store
    from hippo.store.check import check as verify
    from hippo.store.disk import FolderDisk

    folder = seat.settings.dir
    if not has_store(folder):
        raise StoreMissing(folder=folder)
    owner = owner_of(folder)
    if owner is not None and repair:
        raise StoreInUse(folder=folder, pid=owner.pid)
    if owner is not None:
        remark(f"Process {owner.pid} is writing to this store: what changes meanwhile may look damaged.")
    findings = verify(FolderDisk(folder), repair)
    rows: list[dict[str, Any]] = [to_builtins(finding) if not hasattr(finding, "_asdict") else finding._asdict()
                                  for finding in findings]
    left = [row for row in rows if row.get("severity") == "damage" and not row.get("mended")]
    if seat.as_json:
        say_json({"findings": rows})
    else:
        for row in rows:
            mark = paint("mended", fg="green") if row.get("mended") else paint(str(row.get("severity")), fg="red")
            say(f"{mark}  {escaped(str(row.get('file') or ''))}  {escaped(str(row.get('sentence')))}")
        if not rows:
            say(f"✔ {folder}: every invariant holds.")
    return StoreDamaged.exit_code if left else 0
