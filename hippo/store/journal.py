"""The journal: segments of frames. Reading one after any damage, and appending to the newest.

1. A reader takes every frame that is intact, and names every byte range that is not.
2. A writer writes behind what it has written, only to a segment it made itself, and counts as durable what `sync` said.
3. Frames that a failed write left behind are refused: the header of the next segment tells them from the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import Struct as Layout
from typing import NamedTuple

from hippo.codec.record import FRAME_BYTES, checksum, frame, frame_at, next_frame, salt_of
from hippo.limits import journal_preallocate_bytes, journal_preallocate_bytes_min
from hippo.store.disk import Disk

VERSION = 1
PREFIX = "journal-"
_MAGIC = b"HIPJ"
_HEADER = Layout("<4sHHIQQQ")
_CHECK = Layout("<I")
_HEADER_BYTES = _HEADER.size + _CHECK.size
BODY = 2 * _HEADER_BYTES
_NEAR = 1 << 31


class Header(NamedTuple):
    """What a segment says of itself (FORMAT.md)."""

    version: int
    number: int
    seed: int
    acknowledged: int
    first: int


class Frame(NamedTuple):
    """An intact frame: its sequence, and where it starts and ends."""

    sequence: int
    start: int
    end: int


@dataclass
class Segment:
    """A segment as it was read.

    `damaged` are byte ranges without an intact frame; `end` is where the last intact frame ends; `reached` the last
    sequence it is known to have held; `closed`: it ends with a closing frame; `headers`: which of the two are intact.
    """

    number: int
    content: bytes
    header: Header | None
    headers: tuple[bool, bool]
    frames: list[Frame] = field(default_factory=list)
    damaged: list[tuple[int, int]] = field(default_factory=list)
    end: int = BODY
    reached: int = 0
    closed: bool = False

    @property
    def name(self) -> str:
        """Its file."""
        return segment_name(self.number)

    def payload(self, one: Frame) -> memoryview:
        """The payload of one of its frames."""
        return memoryview(self.content)[one.start + FRAME_BYTES:one.end]


def segment_name(number: int) -> str:
    """The file of a segment."""
    return f"{PREFIX}{number:08d}"


def header_of(content: bytes, number: int) -> tuple[Header | None, tuple[bool, bool]]:
    """The header of a segment with this number, and which of its two copies are intact."""
    found: list[Header | None] = []
    for at in (0, _HEADER_BYTES):
        if len(content) < at + _HEADER_BYTES:
            found.append(None)
            continue
        magic, version, _, stated, seed, acknowledged, first = _HEADER.unpack_from(content, at)
        intact = (magic == _MAGIC and stated == number and _CHECK.unpack_from(content, at + _HEADER.size)[0]
                  == checksum(content[at:at + _HEADER.size]))
        found.append(Header(version, stated, seed, acknowledged, first) if intact else None)
    return found[0] or found[1], (found[0] is not None, found[1] is not None)


def encode_header(header: Header) -> bytes:
    """Both copies of a header."""
    one = _HEADER.pack(_MAGIC, header.version, 0, *header[1:])
    return 2 * (one + _CHECK.pack(checksum(one)))


def read_segment(number: int, content: bytes, seed: int, expected: int) -> Segment:
    """All intact frames of a segment.

    Args:
        seed: of the store, for a segment that has lost its headers.
        expected: the sequence of its first frame, for the same case.
    """
    header, headers = header_of(content, number)
    segment = Segment(number, content, header, headers)
    salt = salt_of(header.seed if header else seed)
    expected = header.first if header else expected
    segment.reached = expected - 1
    used = len(content.rstrip(b"\0"))  # preallocated zeros are no damage
    at = min(BODY, len(content))
    while at < len(content):
        found = frame_at(content, at, salt)
        if found is None:
            start = next_frame(content, at + 1, salt) if used > at else None
            if start is None:
                if used > at:
                    segment.damaged.append((at, used))
                break
            segment.damaged.append((at, start))
            at = start
            continue
        low, end = found
        closing = end == at + FRAME_BYTES  # it repeats the last sequence
        ahead = (low - expected + closing) & 0xFFFFFFFF
        if ahead >= _NEAR or segment.closed:  # an intact frame that does not belong here
            segment.damaged.append((at, end))
        else:
            segment.reached = expected + ahead - closing
            segment.closed = closing
            segment.end = end
            if not closing:
                segment.frames.append(Frame(segment.reached, at, end))
            expected = segment.reached + 1
        at = end
    return segment


class Journal:
    """The segment that is being appended to. Its methods raise OSError; after one, nothing may be appended any more.

    Args:
        header: of the new segment; its `first` is the sequence of the first frame.
    """

    def __init__(self, disk: Disk, header: Header) -> None:
        self._disk = disk
        self.number = header.number
        self.name = segment_name(header.number)
        self.first = header.first
        self.next_sequence = header.first
        self._salt = salt_of(header.seed)
        self.end = BODY
        self.durable_end = BODY
        self.durable_sequence = header.acknowledged
        self._reserved = BODY
        disk.create(self.name)
        disk.write(self.name, 0, encode_header(header))
        disk.sync(self.name)
        disk.sync_folder()

    def append(self, payloads: Sequence[bytes]) -> list[int]:
        """Writes a frame for each payload, not durable yet; returns where each starts."""
        frames, places = [], []
        at = self.end
        for payload in payloads:
            framed = frame(self.next_sequence, payload, self._salt)
            frames.append(framed)
            places.append(at)
            at += len(framed)
            self.next_sequence += 1
        if frames:
            self._reserve(at)
            self._disk.write(self.name, self.end, b"".join(frames))
            self.end = at
        return places

    def sync(self) -> None:
        """Makes durable what was appended."""
        if self.end > self.durable_end:
            self._disk.sync(self.name)
            self.durable_end = self.end
            self.durable_sequence = self.next_sequence - 1

    def finish(self, *, closing: bool) -> None:
        """Trims the preallocated zeros; nothing is appended any more. `closing`: the store is being closed."""
        self.sync()
        if closing:
            self._disk.write(self.name, self.end, frame(self.next_sequence - 1, b"", self._salt))
            self.end += FRAME_BYTES
        self._disk.truncate(self.name, self.end)
        self._disk.sync(self.name)
        self._disk.release(self.name)

    def abandon(self) -> None:
        """After a failure: cuts what is not durable, as far as the disk lets us; nothing is appended any more."""
        try:
            self._disk.truncate(self.name, self.durable_end)
            self._disk.release(self.name)
        except OSError:
            pass  # what stays behind is refused by the header of the next segment

    def _reserve(self, size: int) -> None:
        if size > self._reserved:
            # By doubling at first: what is reserved counts, and a small store has a small journal.
            step = min(max(1 << (size - 1).bit_length(), journal_preallocate_bytes_min), journal_preallocate_bytes)
            self._reserved = -(-size // step) * step
            self._disk.reserve(self.name, self._reserved)
