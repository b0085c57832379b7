"""The index: every column of a snapshot in one file (FORMAT.md has the tables).

1. Encoding is a function of the snapshot alone, and exact for every column but the weights of associations, which are
   steps of 1/`weight_steps`: the grid the graph keeps them on.
2. What most memories have is predicted, and only the difference written.
3. Each section has its own checksum; of two copies each section is taken from the one in which it is intact.
"""

from __future__ import annotations

from struct import Struct as Layout
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from hippo.codec.columns import (
    Column,
    decode_bytes,
    decode_column,
    encode_bytes,
    encode_column,
    encode_varints,
    read_varints,
)
from hippo.codec.record import Damaged, checksum
from hippo.limits import salience_default, salience_steps, stability_salience_days, weight_steps
from hippo.model.snapshot import COLUMNS, EDGES, STRINGS, Snapshot

VERSION = 1
_MAGIC = b"HIPX"
_HEADER = Layout("<4sHI")
_CHECK = Layout("<I")
_SECTIONS = (*COLUMNS, "degree", "gap", "weight", "set_at", "strings", "state")
_EDGE_KINDS = {"degree": "u4", "gap": "u4", "weight": "u1", "set_at": "i8"}
_VITAL = ("ordinal", "agent", "tag", "strings", "state")
_DEFAULTS: dict[str, float] = {
    "salience": round(salience_default * salience_steps), "access_count": 1, "encounter_count": 1,
    "intensity": salience_default, "stability": 1 + stability_salience_days * salience_default}


def encode_index(snapshot: Snapshot) -> bytes:
    """The index file of a snapshot."""
    columns, edges = snapshot.columns, snapshot.edges
    count, links = len(columns["ordinal"]), len(edges["first"])
    assert all(len(columns[name]) == count and columns[name].dtype == kind for name, kind in COLUMNS.items())
    assert all(len(edges[name]) == links and edges[name].dtype == kind for name, kind in EDGES.items())
    encoded = {name: encode_column(column) for name, column in _predicted(columns).items()}
    encoded |= {name: encode_column(column) for name, column in _linked(columns, edges).items()}
    encoded["strings"] = encode_bytes(msgspec.msgpack.encode([snapshot.strings[name] for name in STRINGS]))
    encoded["state"] = encode_bytes(msgspec.msgpack.encode(snapshot.state, order="deterministic"))
    numbers = [snapshot.covers, count, links]
    for name in _SECTIONS:
        encoding, width, content = encoded[name]
        numbers += [encoding, width, len(content), checksum(content)]
    table = encode_varints(numbers)
    header = _HEADER.pack(_MAGIC, VERSION, len(table))
    return b"".join((header, _CHECK.pack(checksum(table, checksum(header))), table,
                     *(encoded[name].content for name in _SECTIONS)))


def version_of(raw: bytes) -> int | None:
    """The format of an index file whose table is intact."""
    try:
        return _table(raw)[0]
    except Damaged:
        return None


def decode_index(raw: bytes, copy: bytes = b"", name: str = "index") -> tuple[Snapshot, list[str]]:
    """The snapshot of an index file.

    Args:
        raw: the file. copy: another one; it fills in for damaged sections where it is of the same snapshot.
        name: of the file, for sentences.

    Returns:
        The snapshot, and what is damaged, in sentences.

    Raises:
        Damaged: a part without which nothing can be told is lost.
    """
    _, numbers, sections, damage = _sections(raw, name)
    try:
        _, copied_numbers, copied, _ = _sections(copy, name)
        if copied_numbers == numbers:
            sections = copied | sections
    except Damaged:
        pass
    covers, count, links = numbers[:3]
    lost = [section for section in _SECTIONS if section not in sections]
    if any(section in _VITAL for section in lost):
        raise Damaged(f"{name}: its sections {', '.join(lost)} are lost.")
    if lost:
        damage.append(f"{name}: {', '.join(lost)} of all memories are lost; they start again from their defaults.")
    strings, state = (_unpacked(decode_bytes(sections[section])) for section in ("strings", "state"))
    columns = {}
    for section, kind in COLUMNS.items():
        if section in sections:
            columns[section] = decode_column(sections[section], count, kind)
    columns = _unpredicted(columns, count)
    if any(section in lost for section in _EDGE_KINDS):
        edges = {section: np.empty(0, kind) for section, kind in EDGES.items()}
    else:
        lengths = {"degree": count, "gap": links, "weight": links, "set_at": links}
        edges = _unlinked(columns, {section: decode_column(sections[section], lengths[section], kind)
                                    for section, kind in _EDGE_KINDS.items()})
    return Snapshot(covers, dict(zip(STRINGS, strings, strict=True)), columns, edges, state), damage


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


def _sections(raw: bytes, name: str) -> tuple[int, list[int], dict[str, Column], list[str]]:
    """(version, numbers of the table, intact sections, damage)."""
    try:
        version, at = _table(raw)
        numbers, _ = read_varints(raw, _HEADER.size + _CHECK.size, 3 + 4 * len(_SECTIONS))
    except Damaged as error:
        raise Damaged(f"{name}: {error}.") from error
    sections, broken = {}, []
    for section, (encoding, width, stored, check) in zip(
            _SECTIONS, zip(*(numbers[3 + field::4] for field in range(4)), strict=True), strict=True):
        content = raw[at:at + stored]
        at += stored
        if checksum(content) == check and len(content) == stored:
            sections[section] = Column(encoding, width, content)
        else:
            broken.append(section)
    damage = [f"{name}: damaged in {', '.join(broken)}."] if broken else []
    if at < len(raw):
        damage.append(f"{name}: {len(raw) - at} bytes too many.")
    return version, numbers, sections, damage


def _unpacked(content: bytes) -> Any:
    try:
        return msgspec.msgpack.decode(content)
    except msgspec.MsgspecError as error:
        raise Damaged(f"an intact section that cannot be read ({error})") from error


def _first_values(salience: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
    """What a memory's floats are until it is recalled."""
    given = salience.astype("f8") / salience_steps
    return {"stability": (1.0 + stability_salience_days * given).astype("f4"), "intensity": given.astype("f4")}


def _predicted(columns: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    coded = {name: columns[name] for name in COLUMNS}
    coded["last_access"] = columns["last_access"] - columns["created_at"]
    for name, first in _first_values(columns["salience"]).items():
        coded[name] = columns[name].view("u4") ^ first.view("u4")
    return coded


def _unpredicted(coded: dict[str, NDArray[Any]], count: int) -> dict[str, NDArray[Any]]:
    columns = {name: coded[name] if name in coded else np.full(count, _DEFAULTS.get(name, 0), kind)
               for name, kind in COLUMNS.items()}
    columns["last_access"] = columns["last_access"] + columns["created_at"]
    for name, first in _first_values(columns["salience"]).items():
        if name in coded:
            columns[name] = (coded[name].view("u4") ^ first.view("u4")).view("f4")
    return columns


def _linked(columns: dict[str, NDArray[Any]], edges: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Associations as columns: how many each row has, how far each reaches, how strong, how long after its memory."""
    ordinals = columns["ordinal"]
    first, second = (np.searchsorted(ordinals, edges[end]) for end in ("first", "second"))
    assert len(first) == 0 or (max(first.max(), second.max()) < len(ordinals) and bool((first < second).all()))
    same_source = np.concatenate(([False], first[1:] == first[:-1]))[:len(first)]
    before = np.where(same_source, np.concatenate(([0], second[:-1]))[:len(second)], first)
    assert bool((second > before).all())
    return {
        "degree": np.bincount(first, minlength=len(ordinals)).astype("u4"), "gap": (second - before).astype("u4"),
        "weight": np.round(edges["weight"].astype("f8") * weight_steps).astype("u1"),
        "set_at": edges["set_at"] - columns["created_at"][second]}


def _unlinked(columns: dict[str, NDArray[Any]], coded: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    degree = coded["degree"].astype("i8")
    if int(degree.sum()) != len(coded["gap"]):
        raise Damaged("associations without their memories")
    first = np.repeat(np.arange(len(degree)), degree)
    # Sums of the gaps within a row: the sum of all before, less what it was at the row's first.
    reached = np.cumsum(coded["gap"].astype("i8"))
    heads = (np.cumsum(degree) - degree)[degree > 0]
    offset = np.repeat(reached[heads] - coded["gap"][heads], degree[degree > 0])
    second = first + reached - offset
    if len(second) and int(second.max()) >= len(degree):
        raise Damaged("associations to memories that are not there")
    ordinals = columns["ordinal"]
    return {
        "first": ordinals[first], "second": ordinals[second],
        "weight": (coded["weight"] / weight_steps).astype("f4"),
        "set_at": coded["set_at"] + columns["created_at"][second]}
