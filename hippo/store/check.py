"""The check: one function for each invariant of FORMAT.md, and what it can mend.

1. A check takes the lock, so that it sees a store at rest; it changes nothing unless it is asked to repair.
2. A repair never removes the only copy of anything: damaged bytes are set aside before they are cut.
3. `error`: something is lost or may be. `warning`: everything is there, but one more fault could take it. `note`: a
   person may want to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hippo.codec.block import decode_block
from hippo.codec.identity import id_of
from hippo.codec.ppmd import ExtraMissing
from hippo.codec.record import Damaged, decode_change, text_tag
from hippo.errors import MemoryDamaged, StoreUnwritable
from hippo.model.change import Remembered, Revised
from hippo.model.snapshot import STRINGS
from hippo.store.disk import TEMPORARY, Disk, write_atomic
from hippo.store.index import decode_index, encode_index
from hippo.store.journal import encode_header
from hippo.store.location import Location
from hippo.store.packs import Dictionaries, Pack, pack_name, text_of
from hippo.store.recover import INDEX, INDEX_COPY, Recovered, recover, set_aside
from hippo.store.texts import Texts

_AT_ONCE = 1_024
_REVISION = 4  # the bit of `flags` of an earlier wording


class Finding(NamedTuple):
    """What a check found: how bad, in which file, which invariant and what about it, and whether it was mended."""

    severity: str
    file: str
    invariant: str
    sentence: str
    mended: bool = False


Mend = Callable[[], None]
Found = Iterator[tuple[Finding, Mend | None]]


@dataclass(frozen=True)
class Reading:
    """What the checks look at."""

    disk: Disk
    names: list[str]
    recovered: Recovered


def check(disk: Disk, repair: bool = False) -> list[Finding]:
    """Verifies every invariant.

    Args:
        repair: mend what can be mended.

    Returns:
        What was found, in the order of FORMAT.md; nothing for a store that is whole.

    Raises:
        StoreInUse: a daemon owns it.
        StoreTooNew: a later release wrote it.
        StoreUnwritable: a repair could not be written.
    """
    disk.lock()
    try:
        reading = Reading(disk, disk.names(), recover(disk, 0))
        findings = []
        for invariant in INVARIANTS:
            for finding, mend in list(invariant(reading)):
                if repair and mend is not None:
                    mend()
                findings.append(finding._replace(mended=repair and mend is not None))
        return findings
    except OSError as error:
        raise StoreUnwritable(folder=disk.folder, why=str(error)) from error
    finally:
        disk.unlock()


def leaves_no_temporary_files(reading: Reading) -> Found:
    """F1."""
    for name in reading.names:
        if name.endswith(TEMPORARY):
            yield (Finding("note", name, "F1", "A write was cut off; nothing refers to it."),
                   lambda name=name: reading.disk.remove(name))  # type: ignore[misc]


def segments_have_headers(reading: Reading) -> Found:
    """J1."""
    for segment in reading.recovered.segments:
        if segment.header is None:
            yield Finding("error", segment.name, "J1", "Both headers are damaged."), None
        elif not all(segment.headers):
            header = segment.header

            def mend(name: str = segment.name, content: bytes = encode_header(header)) -> None:
                reading.disk.write(name, 0, content)
                reading.disk.sync(name)

            yield Finding("warning", segment.name, "J1", "One of two headers is damaged."), mend


def segments_hold_only_frames(reading: Reading) -> Found:
    """J2."""
    newest = reading.recovered.segments[-1] if reading.recovered.segments else None
    for one in reading.recovered.torn:
        at_tail = newest is not None and one.name == newest.name and one.start >= newest.end

        def mend(one: object = one, at_tail: bool = at_tail) -> None:
            set_aside(reading.disk, reading.recovered)
            if at_tail and newest is not None:
                reading.disk.truncate(newest.name, newest.end)
                reading.disk.sync(newest.name)

        sentence = f"Bytes {one.start} to {one.end} are damaged"
        yield Finding("error", one.name, "J2", sentence + (" at the tail." if at_tail else ".")), (
            mend if at_tail else None)


def sequences_are_contiguous(reading: Reading) -> Found:
    """J3."""
    for name, sentence in reading.recovered.gaps:
        yield Finding("error", name, "J3", sentence), None


def journal_tags_fit(reading: Reading) -> Found:
    """J4."""
    for segment in reading.recovered.segments:
        for one in segment.frames:
            try:
                change = decode_change(segment.payload(one))
            except Damaged as error:
                yield Finding("error", segment.name, "J4", f"Byte {one.start}: {error}."), None
                continue
            if isinstance(change, Remembered | Revised) and text_tag(change.draft.text) != change.tag:
                yield Finding("error", segment.name, "J4", f"Byte {one.start}: the tag is not that of the text."), None


def what_was_forgotten_is_erased(reading: Reading) -> Found:
    """J5."""
    for agent, ordinals in reading.recovered.forgotten.items():
        yield Finding("note", "", "J5", f"What was forgotten of the agent {agent!r} ({len(ordinals)} memories) may not "
                                        "be erased yet: the next start finishes it."), None


def packs_have_preambles(reading: Reading) -> Found:
    """P1."""
    for pack in reading.recovered.packs:
        mend = None
        if pack.preamble is not None and pack.preamble.file_bytes == len(pack.content) and not all(pack.preambles):
            mend = _preamble_mender(reading.disk, pack)
        for sentence in pack.preamble_damage:
            yield Finding("warning" if mend else "error", pack_name(pack.number), "P1", _after_name(sentence)), mend


def blocks_are_intact(reading: Reading) -> Found:
    """P2."""
    for pack in reading.recovered.packs:
        for sentence in pack.block_damage:
            yield Finding("error", pack_name(pack.number), "P2", _after_name(sentence)), None


def blocks_decode(reading: Reading) -> Found:
    """P3."""
    dictionaries = Dictionaries(reading.disk)
    for pack in reading.recovered.packs:
        for block in pack.blocks:
            try:
                for held in decode_block(pack.content, block, dictionaries):
                    text_of(held)
            except Damaged as error:
                severity = "warning" if isinstance(error, ExtraMissing) else "error"
                yield Finding(severity, pack_name(pack.number), "P3", f"Byte {block.offset}: {error}."), None


def index_and_copy_are_intact(reading: Reading) -> Found:
    """X1."""
    raws = {name: reading.disk.read(name) for name in (INDEX, INDEX_COPY) if name in reading.names}
    if not raws:
        if reading.recovered.rebuilt:
            yield Finding("error", INDEX, "X1", "It is lost, and so is its copy."), None
        return
    whole = {}
    for name, raw in raws.items():
        try:
            if not decode_index(raw, b"", name)[1]:
                whole[name] = raw
        except Damaged:
            pass
    if len(whole) == 2 and len(set(whole.values())) == 1:
        return
    if len(whole) == 2:
        copied = decode_index(whole[INDEX_COPY])[0].covers
        best = INDEX_COPY if copied > decode_index(whole[INDEX])[0].covers else INDEX
        sentence = "The copy is of another moment."
    else:
        best = next(iter(whole), "")
        missing = [name for name in (INDEX, INDEX_COPY) if name not in whole]
        sentence = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} damaged or missing."
    # Where both are damaged, what could be put together from them is written as a new one.
    content = whole[best] if best else None if reading.recovered.rebuilt else encode_index(reading.recovered.snapshot)

    def mend() -> None:
        assert content is not None
        for name in (INDEX, INDEX_COPY):
            write_atomic(reading.disk, name, content)

    yield Finding("warning" if content else "error", INDEX, "X1", sentence), mend if content else None


def columns_refer_to_what_is_there(reading: Reading) -> Found:
    """X2."""
    snapshot = reading.recovered.snapshot
    columns, edges = snapshot.columns, snapshot.edges
    ordinals = columns["ordinal"]
    if len(ordinals) == 0:
        return
    if bool((ordinals[1:] <= ordinals[:-1]).any()):
        yield Finding("error", INDEX, "X2", "The ordinals do not ascend."), None
        return
    for name in STRINGS:
        if int(columns[name].max()) >= len(snapshot.strings[name]):
            yield Finding("error", INDEX, "X2", f"The column {name} refers to words that are not there."), None
    ends = [np.minimum(np.searchsorted(ordinals, edges[end]), len(ordinals) - 1) for end in ("first", "second")]
    known = (ordinals[ends[0]] == edges["first"]) & (ordinals[ends[1]] == edges["second"])
    apart = columns["agent"][ends[0]] != columns["agent"][ends[1]]
    if bool((~known | apart).any()):
        count = int((~known | apart).sum())
        yield Finding("error", INDEX, "X2", f"{count} associations are not between known memories of one agent."), None


def every_memory_has_its_text(reading: Reading) -> Found:
    """X3."""
    found = reading.recovered
    for ordinal in found.lost.tolist():
        yield Finding("error", "", "X3", f"Memory {id_of(ordinal, found.seed)} has lost its text."), None
    tags = dict(zip(found.snapshot.columns["ordinal"].tolist(), found.snapshot.columns["tag"].tolist(), strict=True))
    tags |= {change.ordinal: change.tag for _, change, _ in found.changes
             if isinstance(change, Remembered | Revised)}
    rows = zip(*(found.locations[name].tolist() for name in ("ordinal", "file", "offset", "row")), strict=True)
    wanted = [(Location(*place), ordinal, tags[ordinal]) for ordinal, *place in rows if ordinal in tags]
    texts = Texts(reading.disk, found.seed)
    for start in range(0, len(wanted), _AT_ONCE):
        for text, (place, _, _) in zip(texts.read(wanted[start:start + _AT_ONCE]), wanted[start:], strict=False):
            if isinstance(text, MemoryDamaged):
                yield Finding("error", f"number {place.file}", "X3", text.message), None


def what_memories_refer_to_is_known(reading: Reading) -> Found:
    """X4."""
    columns = reading.recovered.snapshot.columns
    ordinals, agents = columns["ordinal"], columns["agent"]
    for name, what in (("superseded_by", "superseded by"), ("schema", "members of")):
        refers = np.flatnonzero(columns[name])
        others = columns[name][refers] - np.uint64(1)
        at = np.minimum(np.searchsorted(ordinals, others), max(len(ordinals) - 1, 0))
        count = int(((ordinals[at] != others) | (agents[at] != agents[refers])).sum())
        if count:
            yield Finding("warning", INDEX, "X4", f"{count} memories are {what} one that their agent does not have; "
                                                  "the next start mends it."), None
    count = int(((columns["flags"] & _REVISION > 0) & (columns["superseded_by"] == 0)).sum())
    if count:
        yield Finding("warning", INDEX, "X4", f"{count} memories are earlier wordings of nothing."), None


INVARIANTS: tuple[Callable[[Reading], Found], ...] = (
    leaves_no_temporary_files, segments_have_headers, segments_hold_only_frames, sequences_are_contiguous,
    journal_tags_fit, what_was_forgotten_is_erased, packs_have_preambles, blocks_are_intact, blocks_decode,
    index_and_copy_are_intact, columns_refer_to_what_is_there, every_memory_has_its_text,
    what_memories_refer_to_is_known)


def _preamble_mender(disk: Disk, pack: Pack) -> Mend:
    """Writes the intact preamble over the damaged one."""
    assert pack.preamble is not None
    own = pack.preamble.own_bytes
    at_head = pack.preambles[0]
    whole = pack.content[:own] if at_head else pack.content[-own:]

    def mend() -> None:
        mended = pack.content[:-own] + whole if at_head else whole + pack.content[own:]
        write_atomic(disk, pack_name(pack.number), mended)

    return mend


def _after_name(sentence: str) -> str:
    words = sentence.split(": ", 1)[-1]
    return words[0].upper() + words[1:]
