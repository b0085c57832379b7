"""Recovery: what a folder holds, whatever happened to it.

1. Every byte is checked. What is intact is used, what is not is named, and neither stops the other.
2. A text is taken from the pack with the highest number that holds it, else from the journal. A pack that the index
   does not know was being written when the daemon stopped: it is only used for what lies nowhere else.
3. Frames that were refused when they were written are passed over, also where they survived.
4. Without an index, memories are built again from what packs and journal say, with defaults for the rest.
5. A later format, or a record of an unknown kind, ends it by name.
6. A memory that was revised lies where its last revision in the journal says, unless the index knows another text of
   it: that one was abridged from it since. A forgotten one lies nowhere, whatever still holds its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo.codec.block import Held, decode_block
from hippo.codec.identity import id_of
from hippo.codec.pack import VERSION as PACK_VERSION
from hippo.codec.record import Damaged, UnknownKind, decode_change, ordinal_in, text_tag
from hippo.errors import StoreTooNew
from hippo.limits import damage_ids_shown_max, lost_found_bytes_max, lost_found_piece_bytes_max
from hippo.model.change import Change, Forgotten, Remembered, Revised
from hippo.model.memory import Draft
from hippo.model.snapshot import Snapshot, empty_snapshot
from hippo.store import journal, packs
from hippo.store.disk import Disk, write_atomic
from hippo.store.index import VERSION as INDEX_VERSION
from hippo.store.index import decode_index, version_of
from hippo.store.location import Location
from hippo.store.packs import FIDELITY, ORIGINAL

INDEX, INDEX_COPY = "index", "index.copy"
LOST_FOUND = "lost+found/"
_PLACES = {"ordinal": "u8", "file": "u4", "offset": "u4", "row": "u2"} | dict.fromkeys(FIDELITY, "u1")


class Revision(NamedTuple):
    """The last revision of a memory in the journal: the tag of its text, where it lies, its sequence."""

    tag: int
    place: Location
    sequence: int


class Range(NamedTuple):
    """Damaged bytes of a file."""

    name: str
    start: int
    end: int


@dataclass
class Recovered:
    """What a store held when it was opened.

    `changes` are those after `snapshot.covers`, each with its sequence and, for a new memory, where its text lies.
    Without an index the memories of packs come first, as if they had just been remembered (sequence 0, created_at 0).
    `locations`: columns ordinal u8 (ascending), file u4, offset u4, row u2 and u1 for each of FIDELITY of every text
    found; files count from 1.
    `orphans`: texts found that no memory of snapshot or changes claims. `lost`: ordinals of memories without a text.
    `forgotten`: ordinals whose traces may not all be erased: a `Forgotten` of them is in the journal.
    `index_is_whole`: it and its copy are intact and the same. `damage`: what is broken, in sentences; `notes`: what is
    worth knowing and is not.
    """

    seed: int
    snapshot: Snapshot = field(default_factory=empty_snapshot)
    changes: list[tuple[int, Change, Location | None]] = field(default_factory=list)
    locations: dict[str, NDArray[Any]] = field(default_factory=lambda: {n: np.empty(0, k) for n, k in _PLACES.items()})
    orphans: list[tuple[Remembered, Location]] = field(default_factory=list)
    lost: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, "u8"))
    forgotten: dict[str, list[int]] = field(default_factory=dict)
    damage: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sequence: int = 0
    next_ordinal: int = 0
    next_file: int = 1
    segments: list[journal.Segment] = field(default_factory=list)
    packs: list[packs.Pack] = field(default_factory=list)
    torn: list[Range] = field(default_factory=list)
    gaps: list[tuple[str, str]] = field(default_factory=list)
    rebuilt: bool = False
    index_is_whole: bool = True
    unfinished: list[str] = field(default_factory=list)


def recover(disk: Disk, seed: int) -> Recovered:
    """Reads a whole store.

    Args:
        seed: for a store that has none yet, or has lost it.

    Raises:
        StoreTooNew: it was written by a later release.
        OSError: the folder cannot be read.
    """
    names = disk.names()
    snapshot, damage, index_is_whole = _index(disk, names)
    contents = [(number, disk.read(journal.segment_name(number))) for number in _numbers(names, journal.PREFIX)]
    headers = [header for number, content in contents if (header := journal.header_of(content, number)[0])]
    for header in headers:
        _refuse(disk, "the journal", header.version, journal.VERSION)
    stated = snapshot.state.get("seed") if snapshot else None
    found = Recovered(stated if stated is not None else headers[-1].seed if headers else seed, damage=damage)
    found.index_is_whole = index_is_whole
    found.packs = [packs.read_pack(number, disk.read(packs.pack_name(number)))
                   for number in _numbers(names, packs.PREFIX)]
    for pack in found.packs:
        _refuse(disk, "a pack", pack.preamble.version if pack.preamble else PACK_VERSION, PACK_VERSION)
        found.damage += pack.preamble_damage + pack.block_damage
    was_indexed = bool(found.packs) or any(header.acknowledged for header in headers[:1]) or bool(damage)
    found.rebuilt = snapshot is None and was_indexed
    found.snapshot = snapshot or empty_snapshot()
    found.sequence = found.snapshot.covers
    written, revised = _read_journal(disk, found, contents)
    _place(found, written, revised)
    _claim(found, packs.Dictionaries(disk))
    start = journal.header_of(contents[0][1], contents[0][0])[0] if contents else None
    from_start = start is not None and start.first == 1 and not {INDEX, INDEX_COPY} & set(names)
    if found.rebuilt and from_start and all(sequence for sequence, _, _ in found.changes):
        found.rebuilt = False  # the journal says all of it from its beginning: there has been no index yet
    if found.rebuilt:
        found.damage.append("The index and its copy are lost: memories are built again from packs and journal, with "
                            "defaults for what only the index knew.")
        if not headers:
            found.damage.append("The seed of the ids is lost as well: memories get new ids.")
    numbers = [*(number for number, _ in contents), *(pack.number for pack in found.packs), *packs.Dictionaries(disk)]
    found.next_file = max(numbers, default=0) + 1
    return found


def set_aside(disk: Disk, found: Recovered) -> None:
    """Copies damaged bytes of the journal to `lost+found/`, as far as there is room for them. Raises OSError."""
    names = disk.names()
    aside = sum(disk.size(name) for name in names if name.startswith(LOST_FOUND + journal.PREFIX))
    for name, start, end in found.torn:
        piece = disk.read(name, start, min(end - start, lost_found_piece_bytes_max))
        kept = f"{LOST_FOUND}{name}-{start}"
        if kept not in names and aside + len(piece) <= lost_found_bytes_max:
            write_atomic(disk, kept, piece)
            aside += len(piece)


def _numbers(names: Sequence[str], prefix: str) -> list[int]:
    return sorted(int(name[len(prefix):]) for name in names
                  if name.startswith(prefix) and name[len(prefix):].isdecimal() and len(name) == len(prefix) + 8)


def _refuse(disk: Disk, what: str, version: int, known: int) -> None:
    if version > known:
        raise StoreTooNew(folder=disk.folder, found=f"{version} of {what}", known=known)


def _index(disk: Disk, names: Sequence[str]) -> tuple[Snapshot | None, list[str], bool]:
    """The snapshot of whichever copy can be read, what is damaged, and whether the two are whole and the same."""
    raws = {name: disk.read(name) for name in (INDEX, INDEX_COPY) if name in names}
    for raw in raws.values():
        _refuse(disk, "the index", version_of(raw) or INDEX_VERSION, INDEX_VERSION)
    damage = [f"{name} is missing." for name in (INDEX, INDEX_COPY) if raws and name not in raws]
    snapshot = None
    for name, raw in raws.items():
        other = next((content for one, content in raws.items() if one != name), b"")
        try:
            read, broken = decode_index(raw, other, name)
        except Damaged as error:
            damage.append(str(error))
            continue
        damage += broken
        snapshot = snapshot or read
    return snapshot, damage, not damage and len(set(raws.values())) <= 1


def _read_journal(disk: Disk, found: Recovered, contents: Sequence[tuple[int, bytes]],
                  ) -> tuple[list[tuple[int, Location]], dict[int, Revision]]:
    """Reads all segments into `found`; returns ordinal and place of every text in them, and the last revisions."""
    written: list[tuple[int, Location]] = []
    revised: dict[int, Revision] = {}
    covers = found.sequence
    expected = covers + 1
    for number, content in contents:
        segment = journal.read_segment(number, content, found.seed, expected)
        found.segments.append(segment)
        expected = segment.reached + 1
    last = None  # the last sequence that came by
    # What comes behind the newest segment that says anything was being made when the machine stopped.
    newest = next((one for one in reversed(found.segments) if one.header is not None or one.frames), None)
    for at, segment in enumerate(found.segments):
        later = next((after.header for after in found.segments[at + 1:] if after.header), None)
        limit = later.acknowledged if later else None
        behind = newest is None or segment.number > newest.number
        if behind and (segment is found.segments[-1] or len(segment.content) <= journal.BODY):
            found.damage.append(f"{segment.name} ends within its header: the machine stopped when it was made, or it "
                                "was cut.")
            found.unfinished.append(segment.name)
            continue
        _name_damage(found, segment, limit, newest=segment is newest)
        if segment.header is not None:
            before = found.segments[at - 1].name if at else segment.name
            _name_gap(found, before, "at its end" if at else "before it", covers if last is None else last,
                      segment.header.acknowledged)
            last = segment.header.first - 1
        for one in segment.frames:
            if limit is not None and one.sequence > limit:
                break  # refused
            _name_gap(found, segment.name, f"before byte {one.start}", covers if last is None else last,
                      one.sequence - 1)
            last = one.sequence
            _read_frame(disk, found, segment, one, covers, written, revised)
        if limit is None:
            _name_gap(found, segment.name, "at its end", covers if last is None else last, segment.reached)
            last = max(last or 0, segment.reached)
    found.sequence = max(found.sequence, last or 0)
    return written, revised


def _read_frame(disk: Disk, found: Recovered, segment: journal.Segment, one: journal.Frame, covers: int,
                written: list[tuple[int, Location]], revised: dict[int, Revision]) -> None:
    payload = segment.payload(one)
    try:
        ordinal = ordinal_in(payload) if one.sequence <= covers else None
        change = decode_change(payload) if ordinal is None else None
    except UnknownKind as kind:
        raise StoreTooNew(folder=disk.folder, found=f"1 with records of kind {kind.args[0]!r}", known=1) from kind
    except Damaged as error:
        found.damage.append(f"{segment.name}: byte {one.start}: {error}.")
        return
    place = Location(segment.number, one.start, 0)
    if isinstance(change, Revised):
        revised[change.ordinal] = Revision(change.tag, place, one.sequence)
    elif isinstance(change, Forgotten):
        found.forgotten.setdefault(change.agent, []).extend(change.ordinals)
    holds_text = isinstance(change, Remembered | Revised)
    if isinstance(change, Remembered | Revised):
        ordinal = change.ordinal
    if ordinal is not None:
        written.append((ordinal, place))
    if change is not None and one.sequence > covers:
        found.changes.append((one.sequence, change, place if holds_text else None))


def _name_damage(found: Recovered, segment: journal.Segment, limit: int | None, *, newest: bool) -> None:
    if not all(segment.headers):
        found.damage.append(f"{segment.name}: " + ("one of its two headers is damaged." if any(segment.headers)
                                                   else "both of its headers are damaged."))
    for start, end in segment.damaged:
        before = next((one.sequence for one in reversed(segment.frames) if one.end <= start), None)
        if limit is not None and (before if before is not None else
                                  segment.header.first - 1 if segment.header else 0) >= limit:
            continue  # left by a write that was refused
        found.torn.append(Range(segment.name, start, end))
        is_tail = newest and start >= segment.end
        found.damage.append(f"{segment.name}: bytes {start} to {end} are damaged" + (
            ", at its tail: a write that was cut off, or a record that was lost." if is_tail else "."))
    if newest and not segment.closed and (segment.frames or not segment.damaged):
        found.notes.append(f"{segment.name} has no closing frame: the daemon was stopped without closing the store, or "
                           "the end of the file was cut off.")


def _name_gap(found: Recovered, name: str, where: str, last: int, upto: int) -> None:
    """Names the records after `last` up to `upto`, of which none was found; what the index covers is not missed."""
    first = max(last, found.snapshot.covers) + 1
    if upto >= first and not (found.snapshot.covers == 0 and last == 0 and found.packs):
        count = upto - first + 1
        sentence = f"{count} record{'s' if count > 1 else ''} {where} " + (
            f"are lost (sequence {first} to {upto})." if count > 1 else f"is lost (sequence {first}).")
        found.gaps.append((name, sentence))
        found.damage.append(f"{name}: {sentence}")


def _place(found: Recovered, written: Sequence[tuple[int, Location]], revised: dict[int, Revision]) -> None:
    """Where every text lies: the last place of each ordinal, in the order of rule 2."""
    in_journal = {"ordinal": np.array([ordinal for ordinal, _ in written], "u8"),
                  "file": np.array([place.file for _, place in written], "u4"),
                  "offset": np.array([place.offset for _, place in written], "u4"),
                  "row": np.zeros(len(written), "u2")}
    in_journal |= {name: np.zeros(len(written), "u1") for name in FIDELITY}
    known = found.snapshot.state.get("files")
    texts = [pack for pack in found.packs if pack.facts.tier_set != ORIGINAL]
    strays = [pack for pack in texts if known is not None and pack.number not in known]
    table = [pack.places() for pack in strays] + [in_journal]
    table += [pack.places() for pack in texts if pack not in strays]
    joined = {name: np.concatenate([part[name] for part in table]) for name in _PLACES}
    order = np.argsort(joined["ordinal"], kind="stable")
    ordinals = joined["ordinal"][order]
    is_last = np.concatenate((ordinals[1:] != ordinals[:-1], [True])) if len(ordinals) else np.empty(0, bool)
    if found.forgotten:
        is_last &= ~np.isin(ordinals, np.array(sorted({n for some in found.forgotten.values() for n in some}), "u8"))
    found.locations = {name: column[order][is_last].astype(_PLACES[name]) for name, column in joined.items()}
    _put_revised(found, revised)


def _put_revised(found: Recovered, revised: dict[int, Revision]) -> None:
    """Where texts that were revised lie (rule 6)."""
    known, tags, placed = found.snapshot.columns["ordinal"], found.snapshot.columns["tag"], found.locations
    for ordinal, (tag, place, sequence) in revised.items():
        at, stated = (int(np.searchsorted(column, ordinal)) for column in (placed["ordinal"], known))
        if at == len(placed["ordinal"]) or int(placed["ordinal"][at]) != ordinal:
            continue  # forgotten
        is_known = stated < len(known) and int(known[stated]) == ordinal
        if sequence > found.snapshot.covers or not is_known or int(tags[stated]) == tag:
            for name, value in {"file": place.file, "offset": place.offset, "row": place.row,
                                **dict.fromkeys(FIDELITY, 0)}.items():
                placed[name][at] = value


def _claim(found: Recovered, dictionaries: packs.Dictionaries) -> None:
    """Matches texts with memories: names those without one, and gives the others their memory back."""
    placed = found.locations["ordinal"]
    later = [(at, change.ordinal) for at, (_, change, _) in enumerate(found.changes) if isinstance(change, Remembered)]
    ordinals = np.array([ordinal for _, ordinal in later], "u8")
    known = found.snapshot.columns["ordinal"]
    memories = np.union1d(known, ordinals) if later else known
    gone = sorted(ordinal for some in found.forgotten.values() for ordinal in some)
    if gone:
        memories = np.setdiff1d(memories, np.array(gone, "u8"))
    found.lost = np.setdiff1d(memories, placed, assume_unique=True)
    if len(found.lost):
        ids = [id_of(int(ordinal), found.seed) for ordinal in found.lost[:damage_ids_shown_max]]
        more = len(found.lost) - len(ids)
        found.damage.append(f"{len(found.lost)} memories have lost their text: {', '.join(ids)}"
                            + (f" and {more} more." if more else "."))
    for (at, _), place in zip(later, _locations(found, ordinals), strict=True):
        found.changes[at] = (*found.changes[at][:2], place)
    found.orphans = _unclaimed(found, np.setdiff1d(placed, memories, assume_unique=True), dictionaries)
    if found.rebuilt:
        found.changes = sorted(
            [(0, memory, place) for memory, place in found.orphans] + found.changes,
            key=lambda entry: (0, entry[1].ordinal) if isinstance(entry[1], Remembered) else (1, entry[0]))
        found.orphans = []
    highest = max((int(column[-1]) for column in (memories, placed, gone) if len(column)), default=-1)
    found.next_ordinal = max(highest + 1, int(found.snapshot.state.get("next_ordinal", 0)))


def _locations(found: Recovered, ordinals: NDArray[np.uint64]) -> list[Location | None]:
    """Where the texts of these memories lie; None for one that has none."""
    placed = found.locations["ordinal"]
    if len(placed) == 0:
        return [None] * len(ordinals)
    at = np.minimum(np.searchsorted(placed, ordinals), len(placed) - 1)
    rows = zip(*(found.locations[name][at].tolist() for name in ("file", "offset", "row")), strict=True)
    return [Location(*row) if there else None
            for row, there in zip(rows, (placed[at] == ordinals).tolist(), strict=True)]


def _unclaimed(found: Recovered, ordinals: NDArray[np.uint64], dictionaries: packs.Dictionaries,
               ) -> list[tuple[Remembered, Location]]:
    """Memories made of nothing but their text, agent and ordinal; those of the journal with all they have."""
    by_file = {pack.number: pack for pack in found.packs}
    segments = {segment.number: segment for segment in found.segments}
    blocks: dict[tuple[int, int], list[Held]] = {}
    built: list[tuple[Remembered, Location]] = []
    for ordinal, place in zip(ordinals.tolist(), _locations(found, ordinals), strict=True):
        assert place is not None
        pack = by_file.get(place.file)
        if pack is None:
            segment = segments[place.file]
            frame = next(one for one in segment.frames if one.start == place.offset)
            change = decode_change(segment.payload(frame))
            if isinstance(change, Revised):
                change = Remembered(change.ordinal, change.draft, change.tag, 0)
            assert isinstance(change, Remembered)
            built.append((change, place))
            continue
        spot = place.file, place.offset
        if spot not in blocks:
            block = next(one for one in pack.blocks if one.offset == place.offset)
            try:
                blocks[spot] = decode_block(pack.content, block, dictionaries)
            except Damaged as error:
                found.damage.append(f"{packs.pack_name(place.file)}: byte {place.offset}: {error}.")
                blocks[spot] = []
        if place.row < len(blocks[spot]):
            try:
                text = packs.text_of(blocks[spot][place.row])
            except Damaged as error:
                found.damage.append(f"{packs.pack_name(place.file)}: byte {place.offset}: {error}.")
                continue
            built.append((Remembered(ordinal, Draft(text=text, agent_id=pack.facts.agent), text_tag(text), 0), place))
    return built
