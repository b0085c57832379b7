"""The index: every column of a snapshot in one file (FORMAT.md has the tables).

1. Encoding is a function of the snapshot alone, and exact on the grids the graph keeps: weights of associations are
   steps of 1/`weight_steps`, their moments days, accesses after the first minutes, and floats have ten bits.
2. What most memories have is predicted, and only the difference written.
3. Memories are written in chunks of rows, and an association with its later memory: what is new comes last, and the
   rest stays as it was. A chunk is read without the others.
4. Each section, one column of one chunk, has its own checksum; of two copies each section is taken from the one in
   which it is intact. A column of one value stands in the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from struct import Struct as Layout
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from hippo.codec.columns import (
    CONSTANT,
    Column,
    decode_bytes,
    decode_column,
    decode_varints,
    encode_bytes,
    encode_column,
    encode_constant,
    encode_varints,
)
from hippo.codec.record import Damaged, checksum
from hippo.limits import (
    access_grid_ms,
    edge_grid_ms,
    float_grid_bits,
    index_chunk_rows,
    salience_default,
    salience_steps,
    stability_salience_days,
    weight_steps,
)
from hippo.model.snapshot import COLUMNS, EDGES, STRINGS, Snapshot

VERSION = 3
_MAGIC = b"HIPX"
_HEADER = Layout("<4sHI")
_CHECK = Layout("<I")
_OPENING = 3  # numbers in front of the table's entries
_FIELDS = 4  # of an entry
_EDGE_KINDS = {"degree": "u4", "gap": "u8", "weight": "u1", "set_at": "i8"}
_SECTIONS = (*COLUMNS, *_EDGE_KINDS, "strings")  # of each chunk; behind the last one stands the state
_FLOATS = ("stability", "intensity")
_VITAL = ("ordinal", "agent", "tag", "strings", "state")
_DEFAULTS: dict[str, float] = {
    "salience": round(salience_default * salience_steps), "access_count": 1, "encounter_count": 1,
    "intensity": salience_default, "stability": 1 + stability_salience_days * salience_default}

_Columns = dict[str, NDArray[Any]]
_Place = tuple[str, int]  # the name of a section, and its chunk
Plain = NDArray[Any] | bytes  # what a section says


class _Written(NamedTuple):
    """A section as it was encoded last: from what, its entry in the table, and its content."""

    plain: bytes
    entry: bytes
    content: bytes


class _Opened(NamedTuple):
    """An index file whose table is intact: its format, the numbers of its table, its sections, and what is damaged."""

    version: int
    numbers: list[int]
    sections: dict[_Place, Column | None]  # in the order of the file, None where one is damaged
    damage: list[str]


class Draft(NamedTuple):
    """An index file of which some sections are still to be encoded: `missing` are their contents, `None` their place in
    `sections`."""

    opening: bytes
    sections: list[tuple[_Place, _Written | None]]
    missing: list[Plain]


class IndexEncoder:
    """Encodes one snapshot after the other; what is as it was in the last one is not encoded again.

    What it remembers changes the time it takes and never the bytes. It serves one thread at a time.

    Args:
        chunk_rows: memories in a chunk.
    """

    def __init__(self, chunk_rows: int = index_chunk_rows) -> None:
        self._chunk_rows = chunk_rows
        self._known: dict[_Place, _Written] = {}

    def encode(self, snapshot: Snapshot) -> bytes:
        """The index file of a snapshot."""
        draft = self.begin(snapshot)
        return self.finish(draft, encode_sections(draft.missing))

    def begin(self, snapshot: Snapshot) -> Draft:
        """What has to be encoded of a snapshot."""
        draft = Draft(encode_varints([snapshot.covers, len(snapshot.columns["ordinal"]), self._chunk_rows]), [], [])
        for chunk, (columns, strings) in enumerate(_chunks(snapshot, self._chunk_rows)):
            for name, values in columns.items():
                # A column of one value is compared with itself sooner than with what it was.
                constant = encode_constant(values)
                if constant is not None:
                    draft.sections.append(((name, chunk), _written(constant)))
                else:
                    self._take(draft, (name, chunk), values)
            self._take(draft, ("strings", chunk), msgspec.msgpack.encode(strings))
        self._take(draft, ("state", 0), msgspec.msgpack.encode(snapshot.state, order="deterministic"))
        return draft

    def _take(self, draft: Draft, place: _Place, content: Plain) -> None:
        """A section, to be encoded only where it is not what it was."""
        last = self._known.get(place)
        kept = last if last is not None and last.plain == bytes(content) else None
        draft.sections.append((place, kept))
        if kept is None:
            draft.missing.append(content)

    def finish(self, draft: Draft, encoded: list[Column]) -> bytes:
        """The index file, given what `encode_sections` makes of all that was missing."""
        rest = map(_written, encoded, map(bytes, draft.missing))
        self._known = sections = {place: kept or next(rest) for place, kept in draft.sections}
        table = b"".join((draft.opening, *(section.entry for section in sections.values())))
        header = _HEADER.pack(_MAGIC, VERSION, len(table))
        return b"".join((header, _CHECK.pack(checksum(table, checksum(header))), table,
                         *(section.content for section in sections.values())))


def encode_sections(contents: Sequence[Plain]) -> list[Column]:
    """Sections of a draft, encoded: a function that any process can run."""
    return [encode_bytes(one) if isinstance(one, bytes) else encode_column(one) for one in contents]


def encode_index(snapshot: Snapshot) -> bytes:
    """The index file of a snapshot."""
    return IndexEncoder().encode(snapshot)


def version_of(raw: bytes) -> int | None:
    """The format of an index file whose table is intact."""
    try:
        return _table(raw)[0]
    except Damaged:
        return None


def decode_index(raw: bytes, copy: bytes = b"", name: str = "index") -> tuple[Snapshot, list[str]]:
    """The snapshot of an index file of this format or an earlier one.

    Args:
        raw: the file. copy: another one; it fills in for damaged sections where it is of the same snapshot.
        name: of the file, for sentences.

    Returns:
        The snapshot, and what is damaged, in sentences.

    Raises:
        Damaged: a part without which nothing can be told is lost.
    """
    version, numbers, sections, damage = _opened(raw, name)
    try:
        copied = _opened(copy, name)
        if (copied.version, copied.numbers) == (version, numbers):
            sections = {place: section or copied.sections[place] for place, section in sections.items()}
    except Damaged:
        pass
    lost = [place for place, section in sections.items() if section is None]
    names = list(dict.fromkeys(section for section, _ in lost))
    if any(section in _VITAL for section in names):
        raise Damaged(f"{name}: its sections {', '.join(names)} are lost.")
    if lost:
        scope = "all" if len(lost) == len(names) * _chunks_of(sections) else "some"
        damage.append(f"{name}: {', '.join(names)} of {scope} memories are lost; they start again from their defaults.")
    return _snapshot(version, numbers, {place: section for place, section in sections.items() if section}), damage


def _snapshot(version: int, numbers: list[int], sections: dict[_Place, Column]) -> Snapshot:
    """What intact sections say; where one is missing, defaults."""
    covers, count, chunk_rows = numbers[:_OPENING]
    if version == 1:
        chunk_rows = count  # it had one chunk, and here the number of associations
    chunks = [{name: sections[name, chunk] for name in _SECTIONS if (name, chunk) in sections}
              for chunk in range(_chunks_of(sections))]
    rows = list(pairwise(min(chunk * chunk_rows, count) for chunk in range(len(chunks) + 1)))
    if rows[-1][1] < count:
        raise Damaged(f"{count} memories in {len(chunks)} chunks of {chunk_rows}")
    degrees = [_degree(own, end - start) for own, (start, end) in zip(chunks, rows, strict=True)]
    links = list(pairwise(np.cumsum([0, *(degree.sum() for degree in degrees)]).tolist()))
    strings: dict[str, list[str]] = {name: [] for name in STRINGS}
    columns = {name: np.empty(count, kind) for name, kind in COLUMNS.items()}
    edges = {name: np.empty(links[-1][1], kind) for name, kind in EDGES.items()}
    for chunk, own in enumerate(chunks):
        for name, some in zip(STRINGS, _unpacked(own["strings"]), strict=True):
            strings[name] += some
        kinds = COLUMNS if version == 1 else COLUMNS | dict.fromkeys(_FLOATS, "i8")
        coded = {name: decode_column(own[name], len(degrees[chunk]), kind)
                 for name, kind in kinds.items() if name in own}
        part = _unpredicted(coded, len(degrees[chunk]), version)
        for whole, parts, (start, end) in ((columns, part, rows[chunk]),
                                           (edges, _unlinked(own, part, degrees[chunk], version), links[chunk])):
            for name, values in parts.items():
                whole[name][start:end] = values
    return Snapshot(covers, strings, columns, edges, _unpacked(sections["state", 0]))


def _chunks_of(sections: dict[_Place, Any]) -> int:
    return 1 + max(chunk for _, chunk in sections)


def _unpacked(section: Column) -> Any:
    try:
        return msgspec.msgpack.decode(decode_bytes(section))
    except msgspec.MsgspecError as error:
        raise Damaged(f"an intact section that cannot be read ({error})") from error


def _table(raw: bytes) -> tuple[int, int]:
    """(version, end of the table) of a file whose table is intact."""
    body = _HEADER.size + _CHECK.size
    if len(raw) < body:
        raise Damaged("it is cut off")
    magic, version, table_bytes = _HEADER.unpack_from(raw)
    end = body + table_bytes
    if magic != _MAGIC or end > len(raw) or _CHECK.unpack_from(raw, _HEADER.size)[0] != checksum(
            raw[body:end], checksum(raw[:_HEADER.size])):
        raise Damaged("its table is damaged")
    return version, end


def _opened(raw: bytes, name: str) -> _Opened:
    try:
        version, at = _table(raw)
        numbers = decode_varints(raw[_HEADER.size + _CHECK.size:at]).tolist()
        entries = list(zip(*(numbers[_OPENING + field::_FIELDS] for field in range(_FIELDS)), strict=True))
        chunks, others = divmod(len(entries), len(_SECTIONS))
        if others != 1:
            raise Damaged(f"its table has {len(entries)} entries")
    except Damaged as error:
        raise Damaged(f"{name}: {error}.") from error
    places = [(section, chunk) for chunk in range(chunks) for section in _SECTIONS] + [("state", 0)]
    sections: dict[_Place, Column | None] = {}
    for place, (encoding, width, stored, check) in zip(places, entries, strict=True):
        if version > 1 and encoding == CONSTANT:
            sections[place] = Column(encoding, width, (stored & (1 << 8 * width) - 1).to_bytes(width, "little"))
            continue
        content = raw[at:at + stored]
        at += stored
        intact = checksum(content) == check and len(content) == stored
        sections[place] = Column(encoding, width, content) if intact else None
    broken = dict.fromkeys(section for (section, _), column in sections.items() if column is None)
    damage = [f"{name}: damaged in {', '.join(broken)}."] if broken else []
    if at < len(raw):
        damage.append(f"{name}: {len(raw) - at} bytes too many.")
    return _Opened(version, numbers, sections, damage)


def _written(column: Column, plain: bytes = b"") -> _Written:
    encoding, width, content = column
    if encoding == CONSTANT:  # it stands in the table, which has a checksum of its own
        return _Written(plain, encode_varints([encoding, width, int.from_bytes(content, "little"), 0]), b"")
    return _Written(plain, encode_varints([encoding, width, len(content), checksum(content)]), content)


def _chunks(snapshot: Snapshot, chunk_rows: int) -> Iterator[tuple[_Columns, list[list[str]]]]:
    """The coded columns of each chunk of rows, and the names with the numbers of these rows."""
    columns, edges, names = snapshot.columns, snapshot.edges, [snapshot.strings[name] for name in STRINGS]
    count, links, second = len(columns["ordinal"]), len(edges["first"]), edges["second"]
    assert all(len(columns[name]) == count and columns[name].dtype == kind for name, kind in COLUMNS.items())
    assert all(len(edges[name]) == links and edges[name].dtype == kind for name, kind in EDGES.items())
    assert bool((second[1:] >= second[:-1]).all())
    starts = range(0, max(count, *map(len, names), 1), chunk_rows)
    bounds = [0, *np.searchsorted(second, columns["ordinal"][chunk_rows::chunk_rows]).tolist()]
    bounds += [links] * (len(starts) + 1 - len(bounds))
    for start, (first, last) in zip(starts, pairwise(bounds), strict=True):
        rows = {name: columns[name][start:start + chunk_rows] for name in COLUMNS}
        yield (_predicted(rows) | _linked(rows, {name: edges[name][first:last] for name in EDGES}),
               [table[start:start + chunk_rows] for table in names])


def _first_values(salience: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
    """What a memory's floats are until it is recalled."""
    given = salience.astype("f8") / salience_steps
    return {"stability": (1.0 + stability_salience_days * given).astype("f4"), "intensity": given.astype("f4")}


def _predicted(columns: _Columns) -> _Columns:
    coded = dict(columns)
    accessed, created = columns["last_access"], columns["created_at"]
    # Not as a distance from the first access: what was recalled together has one moment.
    moment = accessed // access_grid_ms
    coded["last_access"] = np.where(accessed == created, 0, moment + (moment >= 0))
    for name, first in _first_values(columns["salience"]).items():
        bits, predicted = (column.view("u4").astype("i8") for column in (columns[name], first))
        after = (bits >> float_grid_bits) - (predicted >> float_grid_bits)
        coded[name] = np.where(bits == predicted, 0, after + (after >= 0))
    return coded


def _unpredicted(coded: _Columns, count: int, version: int) -> _Columns:
    columns = {name: coded[name] if name in coded else np.full(count, _DEFAULTS.get(name, 0), kind)
               for name, kind in COLUMNS.items()}
    columns["last_access"] = _accessed(columns["last_access"], columns["created_at"], version)
    for name, first in _first_values(columns["salience"]).items():
        if name in coded and version == 1:
            columns[name] = (coded[name].view("u4") ^ first.view("u4")).view("f4")
        elif name in coded:
            bits = (first.view("u4") >> float_grid_bits) + coded[name] - (coded[name] > 0) << float_grid_bits
            columns[name] = np.where(coded[name] == 0, first, bits.astype("u4").view("f4"))
    return columns


def _accessed(coded: NDArray[Any], created: NDArray[Any], version: int) -> NDArray[Any]:
    if version == 1:
        return np.asarray(coded + created)
    moments: NDArray[Any] = np.where(coded == 0, created, (coded - (coded > 0)) * access_grid_ms)
    return moments


def _linked(columns: _Columns, edges: _Columns) -> _Columns:
    """Associations as columns: how many each row has, how far each reaches back, how strong, and of which day."""
    first, second = edges["first"], edges["second"]
    starts = np.searchsorted(second, columns["ordinal"])
    degree = np.diff(starts, append=len(second))
    assert bool((np.repeat(columns["ordinal"], degree) == second).all())
    # Each reaches from the one behind it, the last of a memory from the memory itself.
    behind = np.append(first[1:], second[-1:])
    ends = (starts + degree)[degree > 0] - 1
    behind[ends] = second[ends]
    assert bool((first < behind).all())
    return {
        "degree": degree.astype("u4"), "gap": behind - first,
        "weight": np.round(edges["weight"].astype("f8") * weight_steps).astype("u1"),
        "set_at": edges["set_at"] // edge_grid_ms}


def _degree(own: dict[str, Column], rows: int) -> NDArray[np.int64]:
    """How many associations each row of a chunk has; none where a part of them is lost."""
    whole = all(name in own for name in _EDGE_KINDS)
    return decode_column(own["degree"], rows, _EDGE_KINDS["degree"]).astype("i8") if whole else np.zeros(rows, "i8")


def _unlinked(own: dict[str, Column], columns: _Columns, degree: NDArray[np.int64], version: int) -> _Columns:
    if not degree.any():
        return {}
    gap, weight, set_at = (decode_column(own[name], int(degree.sum()), _EDGE_KINDS[name])
                           for name in ("gap", "weight", "set_at"))
    ordinals = columns["ordinal"]
    first, later = (_forward if version == 1 else _back)(ordinals, degree, gap)
    moment = set_at + columns["created_at"][later] if version == 1 else set_at * edge_grid_ms
    edges = {"first": first, "second": ordinals[later], "weight": (weight / weight_steps).astype("f4"),
             "set_at": moment}
    if version > 1:
        return edges
    order = np.lexsort((edges["first"], edges["second"]))
    return {name: column[order] for name, column in edges.items()}


def _back(ordinals: NDArray[Any], degree: NDArray[Any], gap: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The earlier memories' ordinals, and the later ones' rows."""
    later = np.repeat(np.arange(len(degree)), degree)
    # The gaps from an association to its memory: all up to the memory's last, less all before this one.
    reached = np.cumsum(gap)
    first = ordinals[later] - (reached[(np.cumsum(degree) - 1)[later]] - reached + gap)
    if bool((first >= ordinals[later]).any()):
        raise Damaged("associations to memories that are not there")
    return first, later


def _forward(ordinals: NDArray[Any], degree: NDArray[Any], gap: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The same of format 1, where degrees are those of the earlier memories, and gaps count rows."""
    earlier = np.repeat(np.arange(len(degree)), degree)
    reached = np.cumsum(gap.astype("i8"))
    before = reached - gap.astype("i8")
    later = earlier + reached - before[(np.cumsum(degree) - degree)[earlier]]
    if len(later) and int(later.max()) >= len(degree):
        raise Damaged("associations to memories that are not there")
    return ordinals[earlier], later
