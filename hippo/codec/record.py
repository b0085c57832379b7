"""Records: one change as bytes, and the frame that finds its way back after damage.

1. A frame is 14 bytes of header and a payload (FORMAT.md has the table). Its check says whether the length may be
   believed, its checksum whether the payload may.
2. Both start from a salt only the store knows, so that no text can contain a valid frame.
3. What a reader cannot prove to be intact it does not return.
4. An intact record of an unknown kind comes from a later release: it is refused by name, never passed over.
"""

from __future__ import annotations

import typing
from hashlib import blake2b
from struct import Struct as Layout
from zlib import crc32

import msgspec
from msgspec import Struct

from hippo.model.change import Change, Remembered, Revised
from hippo.model.memory import Draft

FRAME_MAGIC = 0xA7
FRAME_BYTES = 14
PAYLOAD_BYTES_MAX = (1 << 24) - 1
_HEAD = Layout("<II")
_TAIL = Layout("<HI")
_FRAME = Layout("<IIHI")


class Damaged(Exception):
    """Bytes that are not what they were when they were written; the argument says which, in words."""


class UnknownKind(Exception):
    """An intact record of a kind this release does not know; the argument is its name."""


class RememberedRecord(Struct, frozen=True, tag="r", array_like=True, gc=False):
    """`Remembered` as it is written: flat, so that the journal does not change when the model does."""

    ordinal: int
    text_tag: int
    last_access: int
    text: str
    agent_id: str
    scope: str
    salience: float
    kind: str
    retention: str
    entity: str | None
    entity_type: str | None
    tags: tuple[str, ...]
    source: str | None
    conversation: str | None
    created_at: int
    key: str | None
    protected: bool
    wording_of: int = 0


class RevisedRecord(Struct, frozen=True, tag="u", array_like=True, gc=False):
    """`Revised` as it is written."""

    ordinal: int
    text_tag: int
    text: str
    agent_id: str
    scope: str
    salience: float
    kind: str
    retention: str
    entity: str | None
    entity_type: str | None
    tags: tuple[str, ...]
    source: str | None
    conversation: str | None
    created_at: int
    key: str | None
    protected: bool


class _Ordinal(Struct, frozen=True, tag="r", array_like=True, gc=False):
    ordinal: int


_OTHERS = tuple(kind for kind in typing.get_args(Change) if kind not in (Remembered, Revised))
_DRAFT = RevisedRecord.__struct_fields__[2:]  # the fields of a draft, text first
_KINDS = {str(kind.__struct_config__.tag) for kind in typing.get_args(Change)}
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(typing.Union[(RememberedRecord, RevisedRecord, *_OTHERS)])
_ordinal_decoder = msgspec.msgpack.Decoder(_Ordinal)
_REMEMBERED = b"\xa1r"  # the string "r", behind the length of the array: three bytes for more than 15 fields


def text_tag(text: str) -> int:
    """The 64-bit checksum of a text: BLAKE2b of its UTF-8 with an 8-byte digest, little-endian."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def checksum(content: bytes | memoryview, start: int = 0) -> int:
    """CRC-32 of `content`, going on from `start`."""
    return crc32(content, start)


def salt_of(seed: int) -> int:
    """Where the checksums of a store's frames start."""
    return seed & 0xFFFFFFFF


def encode_change(change: Change) -> bytes:
    """The payload of a frame.

    Raises:
        UnicodeEncodeError: a text holds a lone surrogate.
    """
    if isinstance(change, Remembered):
        return _encoder.encode(RememberedRecord(
            change.ordinal, change.tag, change.last_access, **{name: getattr(change.draft, name) for name in _DRAFT},
            wording_of=change.wording_of))
    if isinstance(change, Revised):
        return _encoder.encode(RevisedRecord(
            change.ordinal, change.tag, **{name: getattr(change.draft, name) for name in _DRAFT}))
    return _encoder.encode(change)


def decode_change(payload: bytes | memoryview) -> Change:
    """The change a payload holds.

    Raises:
        UnknownKind: it is of a later release.
        Damaged: it is no change at all.
    """
    record = _decode(payload)
    if not isinstance(record, RememberedRecord | RevisedRecord):
        return typing.cast(Change, record)
    draft = Draft(**{name: getattr(record, name) for name in _DRAFT})
    if isinstance(record, RevisedRecord):
        return Revised(record.ordinal, draft, record.text_tag)
    return Remembered(record.ordinal, draft, record.text_tag, record.last_access, record.wording_of)


def ordinal_in(payload: bytes | memoryview) -> int | None:
    """The ordinal of a remembered memory without decoding the rest; None for a change of another kind.

    Raises:
        Damaged: it is one that cannot be read.
    """
    if bytes(payload[3:5]) != _REMEMBERED:
        return None
    try:
        return _ordinal_decoder.decode(payload).ordinal
    except msgspec.MsgspecError as error:
        raise Damaged(f"an intact frame without a readable record ({error})") from error


def _decode(payload: bytes | memoryview) -> object:
    try:
        return _decoder.decode(payload)
    except msgspec.MsgspecError as error:
        try:
            kind = msgspec.msgpack.decode(payload)[0]
        except (msgspec.MsgspecError, LookupError, TypeError):
            kind = None
        if isinstance(kind, str) and kind not in _KINDS:
            raise UnknownKind(kind) from error
        raise Damaged(f"an intact frame without a readable record ({error})") from error


def frame(sequence: int, payload: bytes, salt: int) -> bytes:
    """A payload in its frame."""
    assert len(payload) <= PAYLOAD_BYTES_MAX
    word = FRAME_MAGIC << 24 | len(payload)
    low = sequence & 0xFFFFFFFF
    check = crc32(_HEAD.pack(word, low), salt)
    return _HEAD.pack(word, low) + _TAIL.pack(check & 0xFFFF, crc32(payload, check)) + payload


def frame_at(content: bytes, at: int, salt: int) -> tuple[int, int] | None:
    """The frame that starts at a position, if there is an intact one.

    Returns:
        (low 32 bits of its sequence, where it ends); its payload starts `FRAME_BYTES` behind `at`.
    """
    if at + FRAME_BYTES > len(content):
        return None
    word, low, header_check, payload_check = _FRAME.unpack_from(content, at)
    if word >> 24 != FRAME_MAGIC:
        return None
    end = at + FRAME_BYTES + (word & 0xFFFFFF)
    if end > len(content):
        return None
    check = crc32(content[at:at + 8], salt)
    if check & 0xFFFF != header_check or crc32(content[at + FRAME_BYTES:end], check) != payload_check:
        return None
    return low, end


def next_frame(content: bytes, start: int, salt: int) -> int | None:
    """Where the first intact frame at or behind `start` begins, if there is one."""
    at = content.find(FRAME_MAGIC, start + 3)
    while at >= 0:
        if frame_at(content, at - 3, salt):
            return at - 3
        at = content.find(FRAME_MAGIC, at + 1)
    return None
