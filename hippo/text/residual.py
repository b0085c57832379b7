"""What a text has that its schema has not, and the text with less of it: what faded memories are made of. Pure.

1. A residual is a token diff: hunks of a position in the schema, a count of its pieces that go, and the text that
   comes. Schema and residual give the text back exactly, for every pair of strings.
2. Abridging leaves out the fewest hunks' worth that pays: they are ranked by importance over size, and as few are kept
   as clear all floors. The fidelity that counts is measured on the outcome, against the original.
3. With the fact guard a reconstruction is an abridgement: of the pieces that a hunk brings only those may go that
   `fading.fading_runs` lets go; what a hunk takes from the schema stays taken. It never substitutes.
4. Without it a hunk goes as a whole, and the schema's words stand in its place.
5. A reconstruction is checked on its own terms (`is_abridgement`) before it is given out; what fails is not abridged.

Layout of a residual: varint number of hunks; for each a varint of pieces since the last hunk's end, a varint of pieces
that go and, but for the last hunk, a varint of the bytes that come; then all that comes, UTF-8, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from hippo.limits import hunk_bridge_bytes, hunk_capitals, hunk_caseless, hunk_digits
from hippo.model.memory import Fidelity
from hippo.text.facts import facts, has_case
from hippo.text.fading import SMALL_WORDS, fading_runs
from hippo.text.fidelity import clears, measure
from hippo.text.phatic import is_phatic
from hippo.text.pieces import pieces

_VARINT_BITS_MAX = 63


class Hunk(NamedTuple):
    """A difference: schema pieces [start, end) go, text pieces [from_, to) come in their place."""

    start: int
    end: int
    from_: int
    to: int


class Abridgement(NamedTuple):
    """A text with less in it, and how close it is to the original."""

    text: str
    fidelity: Fidelity


def encode(schema: str, text: str) -> bytes:
    """The residual of a text: what makes it out of the schema.

    Args:
        schema: Any text, also an empty one.
        text: Any text.
    """
    before, after = pieces(schema), pieces(text)
    hunks = _bridged(_hunks(before, after), before)
    brought = ["".join(after[hunk.from_:hunk.to]).encode("utf-8", "surrogatepass") for hunk in hunks]
    numbers = [len(hunks)]
    last = 0
    for hunk, content in zip(hunks, brought, strict=True):
        numbers += hunk.start - last, hunk.end - hunk.start, len(content)
        last = hunk.end
    return _varints(numbers[:-1] if hunks else numbers) + b"".join(brought)


def decode(schema: str, residual: bytes) -> str:
    """The text that a residual makes out of its schema.

    Args:
        schema: The text it was encoded with.
        residual: As `encode` gave it.

    Raises:
        ValueError: The residual is damaged, or of another schema.
    """
    before = pieces(schema)
    (count,), at = _read_varints(residual, 0, 1)
    if count > len(before) + 1:
        raise ValueError("more hunks than the schema has places")
    numbers, at = _read_varints(residual, at, max(0, 3 * count - 1))
    place, parts = 0, []
    for gap, gone, *length in (numbers[first:first + 3] for first in range(0, len(numbers), 3)):
        parts += before[place:place + gap]
        place += gap + gone
        until = at + length[0] if length else len(residual)
        if place > len(before) or until > len(residual):
            raise ValueError("a hunk beyond its schema or its residual")
        parts.append(residual[at:until].decode("utf-8", "surrogatepass"))
        at = until
    if at != len(residual):
        raise ValueError("more than the hunks bring")
    return "".join(parts + before[place:])


def abridge(text: str, schema: str, floors: Sequence[float], guard: bool = True,
            keep_one: bool = False) -> Abridgement | None:
    """A text with as little in it as its floors allow, where that makes its residual smaller.

    Args:
        text: The original.
        schema: The text it is kept as a residual of; may be empty.
        floors: Of ROUGE-L, char similarity and semantic, as in `limits.tier_fidelity_floors`.
        guard: The fact guard (rules 3 and 4).
        keep_one: At least one hunk stays: the reconstruction is not the bare schema.

    Returns:
        The reconstruction and its fidelity, or None where nothing is gained.
    """
    before, after = pieces(schema), pieces(text)
    hunks = _hunks(before, after)
    candidates = _fading_hunks(after, hunks) if guard else _ranked(
        [("".join(after[hunk.from_:hunk.to]), hunk) for hunk in hunks])

    def outcome(count: int) -> Abridgement | None:
        """What is left when all but the first `count` candidates go, if it is close enough."""
        gone = set(candidates[count:])
        told = _without(after, gone) if guard else _filled(before, after, [hunk for hunk in hunks if hunk not in gone])
        fidelity = measure(text, told)
        return Abridgement(told, fidelity) if clears(fidelity, floors) and not (keep_one and told == schema) else None

    found = _fewest(len(candidates), outcome)
    if found is None or (guard and not is_abridgement(text, found.text)):
        return None
    return found if len(encode(schema, found.text)) < len(encode(schema, text)) else None


def is_abridgement(original: str, reconstruction: str) -> bool:
    """Whether a text only leaves out of another what may be left out; looks at the two texts alone.

    It is the original, to the character, without some of the runs that `fading_runs` lets go. Then what is missing is
    looked at for itself: a gap is a whole sentence of social noise, or nothing but the few small words that may ever
    go, and their marks; and the facts are the same, in the same order.

    Args:
        original: The text as it was given.
        reconstruction: The text as it is given back.
    """
    gaps = _gaps(original, reconstruction)
    if gaps is None:
        return False
    return facts(original) == facts(reconstruction) and all(
        _is_phatic_sentence(original, *gap) or _is_small(original[slice(*gap)]) for gap in gaps)


def _gaps(original: str, reconstruction: str) -> list[tuple[int, int]] | None:
    """Which of the runs that may go are missing; None if anything else is, or is added."""
    parts = pieces(original)
    starts = [0, *accumulate(map(len, parts))]
    runs = [(starts[first], starts[end]) for first, end in fading_runs(parts)]
    gaps = []
    place = at = 0
    for (start, end), until in zip(runs, [*(start for start, _ in runs[1:]), len(original)], strict=False):
        if not reconstruction.startswith(original[place:start], at):
            return None
        at += start - place
        # Where a run is there, what follows it is there too: with both, a run is not taken for a repetition of it.
        place = start if reconstruction.startswith(original[start:until], at) else end
        if place == end:
            gaps.append((start, end))
    return gaps if original[place:] == reconstruction[at:] else None


def _is_phatic_sentence(text: str, start: int, end: int) -> bool:
    """Whether a span is, but for white space, a phatic sentence from its first word to its mark."""
    while start and text[start - 1].isspace():
        start -= 1
    return (not start or text[start - 1] in ".!?") and is_phatic(text[start:end].strip())


def _is_small(gap: str) -> bool:
    return all(piece.isspace() or piece in (",", "!") or piece.lower() in SMALL_WORDS for piece in pieces(gap))


def _fewest(count: int, outcome: Callable[[int], Abridgement | None]) -> Abridgement | None:
    """The outcome with the fewest candidates kept, None if it is all of them; close enough grows with their number."""
    low, middle, high, found = 0, 0, count, None  # none kept is tried first: it is what most often comes out
    while low < high:
        if (tried := outcome(middle)) is None:
            low = middle + 1
        else:
            high, found = middle, tried
        middle = (low + high) // 2
    return found


def _hunks(before: Sequence[str], after: Sequence[str]) -> list[Hunk]:
    """The fewest differences between two rows of pieces. Pieces are compared as numbers: a hash may collide."""
    numbers: dict[str, int] = {}
    first, second = ([numbers.setdefault(piece, len(numbers)) for piece in row] for row in (before, after))
    return [Hunk(step.src_start, step.src_end, step.dest_start, step.dest_end)
            for step in Levenshtein.opcodes(first, second) if step.tag != "equal"]


def _bridged(hunks: Sequence[Hunk], before: Sequence[str]) -> list[Hunk]:
    """Hunks joined where what lies between costs less than a further hunk."""
    joined: list[Hunk] = []
    for hunk in hunks:
        last = joined[-1] if joined else None
        if last and len("".join(before[last.end:hunk.start]).encode("utf-8", "surrogatepass")) <= hunk_bridge_bytes:
            joined[-1] = Hunk(last.start, hunk.end, last.from_, hunk.to)
        else:
            joined.append(hunk)
    return joined


def _fading_hunks(after: Sequence[str], hunks: Sequence[Hunk]) -> list[Hunk]:
    """The runs of pieces that may go, most important first: only words that no schema gives for nothing."""
    brought = [False] * len(after)
    for hunk in hunks:
        brought[hunk.from_:hunk.to] = [True] * (hunk.to - hunk.from_)
    return _ranked([("".join(after[start:end]), Hunk(0, 0, start, end)) for start, end in fading_runs(after)
                    if all(brought[place] for place in range(start, end) if after[place].isalpha())])


def _ranked(candidates: list[tuple[str, Hunk]]) -> list[Hunk]:
    """Most importance for its size first; among equals the earlier."""
    return [hunk for _, hunk in sorted(candidates, key=lambda pair: -_importance(pair[0]) / _size(pair[0]))]


def _importance(brought: str) -> float:
    if any(map(str.isnumeric, brought)):
        return hunk_digits
    if any(map(str.isupper, brought)):
        return hunk_capitals
    return 1.0 if all(map(has_case, brought)) else hunk_caseless


def _size(brought: str) -> int:
    return 3 + len(brought.encode("utf-8", "surrogatepass"))  # position, count and length are a byte each


def _without(after: Sequence[str], gone: Iterable[Hunk]) -> str:
    left = list(after)
    for hunk in gone:
        left[hunk.from_:hunk.to] = [""] * (hunk.to - hunk.from_)
    return "".join(left)


def _filled(before: Sequence[str], after: Sequence[str], hunks: Sequence[Hunk]) -> str:
    """The schema with some of the hunks applied."""
    parts: list[str] = []
    place = 0
    for hunk in hunks:
        parts += before[place:hunk.start]
        parts += after[hunk.from_:hunk.to]
        place = hunk.end
    return "".join(parts + list(before[place:]))


def _varints(numbers: Sequence[int]) -> bytes:
    """LEB128: seven bits a byte, the lowest first, the top bit says that more follow."""
    out = bytearray()
    for number in numbers:
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return bytes(out)


def _read_varints(content: bytes, start: int, count: int) -> tuple[list[int], int]:
    """`count` numbers from `start` on, and where they end."""
    rest = iter(range(start, len(content)))
    numbers = [_read_varint(content, rest) for _ in range(count)]
    return numbers, next(rest, len(content))


def _read_varint(content: bytes, places: Iterator[int]) -> int:
    number = shift = 0
    for at in places:
        number |= (content[at] & 127) << shift
        if content[at] < 128:
            return number
        shift += 7
        if shift > _VARINT_BITS_MAX:
            break
    raise ValueError("a number that does not end")
