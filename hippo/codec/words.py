"""The word transform: a text as four streams, each of one nature, from which it comes back byte for byte.

1. `main` is the text with words as codes of one or two bytes (`vocabulary`), a mark for each word that has none, and
   the length of each number in place of its digits. `spelled` holds the words without a code once each, NUL-separated;
   `which` says which of them is meant where (0: a new one that does not come again, 1: a new one that does and gets the
   next number, n + 2: the one numbered n); `digits` are those of all numbers. So sentences that differ in a name and a
   time are the same in `main`, and each stream is compressed by what it is like.
2. A code stands for what is expected where it stands: a word has a space before it unless it opens a row or follows a
   bracket or the like; it has a capital at the start of a row and of a sentence. FLIP, SPACE and BOTH in front of a
   code say that the capital, the space, or both are otherwise; UPPER that all letters are capitals.
3. What is expected depends on the one byte before, so that both directions agree on it without remembering more.
4. Every byte string has its streams, and `join` undoes `split`. Streams that `split` did not make give other bytes, or
   raise `Damaged`.

`split` reads one word after the other; `join` works on whole arrays, because recall waits for it.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo.codec.record import Damaged
from hippo.codec.vocabulary import BOTH, FLIP, LEAD_MIN, LITERALS, SPACE, SPELLED, SYMBOLS, UPPER, vocabulary

_WORD, _TIGHT, _SENTENCE, _ROW = range(4)  # what the byte before lets expect of a word
_TIGHT_BYTES, _SENTENCE_BYTES, _ROW_BYTES = b"-/([{<\"'`_#@&=+*$^%|~\\", b".!?", b"\0\n"
_STATE = bytes(_TIGHT if code in _TIGHT_BYTES else _SENTENCE if code in _SENTENCE_BYTES else
               _ROW if code in _ROW_BYTES else _WORD for code in range(256))
_SPACED = (True, False, True, False)
_CAPITAL = (False, False, True, True)
_SPACED_NUMBER = bytes(code not in _TIGHT_BYTES + b".:\0\n" for code in range(256))
_NUMBER_DIGITS_MAX = 9
_INDEXED_MAX = 254
_TOKEN = re.compile(
    rb" ?(?:[A-Za-z]|[\xc3-\xdf][\x80-\xbf]|[\xe0\xe1\xe3-\xed][\x80-\xbf]{2})+(?:'[a-z]+)?"
    rb"| ?[0-9]{1,9}|" + b"|".join(symbol.encode() for symbol in SYMBOLS.values()) + rb"| ?[^\x00\n\x20-\x7e]+")
_SYMBOL_CODES = {symbol.encode(): bytes((code,)) for code, symbol in SYMBOLS.items()}
_FLAGS = {(False, False): b"", (True, False): bytes((FLIP,)), (False, True): bytes((SPACE,)),
          (True, True): bytes((BOTH,))}


class Streams(NamedTuple):
    """A text in four parts."""

    main: bytes
    spelled: bytes
    which: bytes
    digits: bytes


def split(text: bytes) -> Streams:
    """The streams of a text: any bytes; UTF-8 fares best."""
    spelled: list[bytes] = []
    digits: list[bytes] = []
    known: dict[tuple[bytes, int], bytes | None] = {}

    def coded(found: re.Match[bytes]) -> bytes:
        token = found[0]
        before = text[found.start() - 1] if found.start() else 0
        body = token[1:] if token[0] == 0x20 else token
        spaced = body is not token
        if 0x30 <= body[0] <= 0x39:
            digits.append(body)
            return _FLAGS[False, spaced != _SPACED_NUMBER[before]] + bytes((0x30 + len(body),))
        if token in _SYMBOL_CODES:
            return _SYMBOL_CODES[token]
        state = _STATE[before]
        try:
            code = known[token, state]
        except KeyError:
            code = known[token, state] = _code(body, spaced, state)
        if code is None:
            stem, apostrophe, rest = body.partition(b"'")
            spelled.append(stem)
            return _FLAGS[False, spaced != _SPACED[state]] + bytes((SPELLED,)) + apostrophe + rest
        return code

    main = _TOKEN.sub(coded, text)
    return Streams(main, *_listed(spelled), b"".join(digits))


def join(streams: Streams) -> bytes:
    """The text of its streams; raises Damaged where they do not belong together."""
    tables = _tables()
    main = np.frombuffer(streams.main + b"\0", "u1")
    is_second = np.zeros(len(main), bool)
    is_second[1:] = main[:-1] >= LEAD_MIN
    heads = np.flatnonzero(~is_second[:-1])
    tokens = tables.token[main[heads].astype("i4") << 8 | main[heads + 1]]
    flags = tables.flag[tokens]
    is_text = flags == 0
    flagged = np.concatenate((flags[:1] * 0, flags[:-1]))[is_text]
    tokens = tokens[is_text]
    state_before = np.concatenate((np.full(min(len(tokens), 1), _ROW, "u1"), tables.state[tokens[:-1]]))
    number_spaced = np.concatenate((np.zeros(min(len(tokens), 1), bool), tables.spaced_number[tokens[:-1]]))
    is_word, is_spelled, is_number = tables.is_word[tokens], tokens == SPELLED, tables.is_number[tokens]
    offsets, lengths = tables.offset[tokens], tables.length[tokens]
    dynamic = [tables.text]
    if is_spelled.any() or streams.which:
        listed = np.frombuffer(b"\0" + streams.spelled + b"\0", "u1")
        meant = _meant(streams.which, int(is_spelled.sum()))
        bounds = np.flatnonzero(listed == 0)
        if len(meant) and int(meant.max()) >= len(bounds) - 1:
            raise Damaged("a word that is not spelled")
        offsets[is_spelled] = len(tables.text) + bounds[meant]
        lengths[is_spelled] = np.diff(bounds)[meant]
        dynamic.append(np.where(listed == 0, np.uint8(0x20), listed))
    if is_number.any() or streams.digits:
        counts = lengths[is_number] - 1
        if int(counts.sum()) != len(streams.digits):
            raise Damaged("numbers without their digits")
        starts = np.cumsum(counts + 1) - (counts + 1)
        written = np.full(len(streams.digits) + len(counts), 0x20, "u1")
        written[np.arange(len(streams.digits)) + np.repeat(np.arange(1, len(counts) + 1), counts)] = np.frombuffer(
            streams.digits, "u1")
        offsets[is_number] = sum(len(part) for part in dynamic) + starts
        dynamic.append(written)
    moves = is_word | is_spelled | is_number
    spaced = np.where(is_number, number_spaced, tables.spaced[state_before]) ^ (flagged == SPACE) ^ (flagged == BOTH)
    bare = moves & ~spaced
    offsets = offsets + bare
    lengths = lengths - bare
    ends = np.cumsum(lengths)
    starts = ends - lengths
    size = int(ends[-1]) if len(ends) else 0
    text = np.concatenate(dynamic)[np.arange(size) + np.repeat(offsets - starts, lengths)]
    first = starts + spaced
    capital = first[is_word & tables.capital[state_before]]
    text[capital] = tables.upper[text[capital]]
    text[first[is_word & ((flagged == FLIP) | (flagged == BOTH))]] ^= 0x20
    for at in np.flatnonzero(is_word & (flagged == UPPER)):
        text[starts[at]:ends[at]] = tables.upper[text[starts[at]:ends[at]]]
    joined: bytes = text.tobytes()
    return joined


def _code(body: bytes, spaced: bool, state: int) -> bytes | None:
    """What stands for a word in `main`; None: a mark, and its spelling elsewhere."""
    codes = vocabulary().codes
    gap = spaced != _SPACED[state]
    other = bytes((body[0] ^ 0x20,)) + body[1:] if body[:1].isalpha() else body
    if _CAPITAL[state]:
        if body[:1].isupper() and (code := codes.get(other) or codes.get(body)):
            return _FLAGS[False, gap] + code
        if code := codes.get(body):
            return _FLAGS[True, gap] + code
    elif code := codes.get(body):
        return _FLAGS[False, gap] + code
    elif code := codes.get(other):
        return _FLAGS[True, gap] + code
    if body.isupper() and len(body) > 1 and not gap and (code := codes.get(body.lower())):
        return bytes((UPPER,)) + code
    stem, apostrophe, rest = body.partition(b"'")
    if apostrophe and (code := _code(stem, spaced, state)):
        return code + apostrophe + rest
    if len(stem) == 1 and stem[0] in LITERALS:
        return b" " * spaced + body
    return None


def _listed(spelled: list[bytes]) -> tuple[bytes, bytes]:
    """The words without a code, once each, and which of them is meant where."""
    times = Counter(spelled)
    numbers: dict[bytes, int] = {}
    new: list[bytes] = []
    which = bytearray()
    for word in spelled:
        if word in numbers:
            which.append(numbers[word] + 2)
            continue
        new.append(word)
        comes_again = times[word] > 1 and len(numbers) < _INDEXED_MAX
        if comes_again:
            numbers[word] = len(numbers)
        which.append(comes_again)
    return b"\0".join(new), bytes(which)


def _meant(which: bytes, marks: int) -> NDArray[np.int64]:
    """For each mark which spelled word it stands for."""
    if len(which) != marks:
        raise Damaged("marks without their words")
    entries = np.frombuffer(which, "u1").astype("i8")
    is_new = entries < 2
    order = np.cumsum(is_new) - 1
    numbered = order[entries == 1]
    again = entries[~is_new] - 2
    if len(again) and int(again.max()) >= len(numbered):
        raise Damaged("a word that was not numbered")
    order[~is_new] = numbered[again]
    return order


class _Tables(NamedTuple):
    """What `join` looks up; all but `token`, `spaced`, `capital` and `upper` by token.

    Tokens: 0..255 what a byte is by itself, then the words. `text` holds what tokens stand for, words with a space in
    front; `offset` and `length` say where. `token`: by a byte and the one behind it. `spaced`, `capital`: by state.
    """

    token: NDArray[np.int32]
    text: NDArray[np.uint8]
    offset: NDArray[np.int64]
    length: NDArray[np.int64]
    flag: NDArray[np.uint8]
    state: NDArray[np.uint8]
    spaced_number: NDArray[np.bool_]
    is_word: NDArray[np.bool_]
    is_number: NDArray[np.bool_]
    spaced: NDArray[np.bool_]
    capital: NDArray[np.bool_]
    upper: NDArray[np.uint8]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    words = vocabulary()
    texts = [bytes((code,)) for code in range(256)]
    for code, symbol in SYMBOLS.items():
        texts[code] = symbol.encode()
    texts += [b" " + word.encode() for word in words.words]
    token = np.repeat(np.arange(256, dtype="i4"), 256)
    for at, coded in enumerate(words.codes.values(), 256):
        if len(coded) == 1:
            token[coded[0] << 8:(coded[0] + 1) << 8] = at
        else:
            token[coded[0] << 8 | coded[1]] = at
    count = len(texts)
    own = np.arange(count)
    length = np.array([len(text) for text in texts])
    is_number = (own > 0x30) & (own <= 0x30 + _NUMBER_DIGITS_MAX)
    length[is_number] = own[is_number] - 0x30 + 1
    return _Tables(
        token, np.frombuffer(b"".join(texts), "u1"), np.cumsum([0, *map(len, texts[:-1])]), length,
        np.where((own >= FLIP) & (own <= UPPER), own, 0).astype("u1"),
        np.array([_STATE[code] if code < 0x7F and not is_number[code] else _WORD for code in own], "u1"),
        np.array([code >= 0x7F or bool(is_number[code]) or bool(_SPACED_NUMBER[code]) for code in own]),
        own >= 256, is_number, np.array(_SPACED), np.array(_CAPITAL),
        np.array([ord(chr(code).upper()) if code < 128 else code for code in range(256)], "u1"))
