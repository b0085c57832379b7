"""What a pass has done in the worker process: functions of what they are given and of files that are only read.

1. Texts are read here, by their places: packs are immutable, and no segment that is asked for is dropped meanwhile.
2. Nothing is written here. What comes back is checked, versioned and made durable by those who own it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hippo.codec.dictionary import encode_dictionary, train, worth
from hippo.codec.pack import EncodedPack, Row, encode_pack
from hippo.embed.term_frequency import TermFrequencyEmbedder
from hippo.errors import MemoryDamaged
from hippo.mind.condensing import Condensed, Source, condense
from hippo.mind.schemas import Candidate, Formation, consolidate
from hippo.model.batch import Batch, Kin, Places
from hippo.store.disk import Disk
from hippo.store.location import Location
from hippo.store.originals import originals_in
from hippo.store.packs import ORIGINAL, Dictionaries
from hippo.store.texts import Texts
from hippo.store.traces import traced_dictionaries, traced_packs
from hippo.text.residual import is_abridgement

_READ_AT_ONCE = 1_024


def read(disk: Disk, seed: int, places: Places) -> tuple[dict[int, str], set[int]]:
    """The texts of some memories by ordinal, in the order given, and the ordinals of those that cannot be read."""
    reader = Texts(disk, seed)
    found: dict[int, str] = {}
    lost: set[int] = set()
    for start in range(0, len(places.ordinal), _READ_AT_ONCE):
        file, offset, row, ordinals, tags = (column[start:start + _READ_AT_ONCE].tolist() for column in places)
        wanted = [(Location(*place), ordinal, tag) for *place, ordinal, tag in zip(
            file, offset, row, ordinals, tags, strict=True)]
        for ordinal, text in zip(ordinals, reader.read(wanted), strict=True):
            if isinstance(text, MemoryDamaged):
                lost.add(ordinal)
            else:
                found[ordinal] = text
    return found, lost


def condense_batch(disk: Disk, seed: int, batch: Batch, guard: bool, dictionary: int,
                   awake: frozenset[int]) -> tuple[Condensed | None, set[int]]:
    """The pack of a batch and the ordinals whose text cannot be read; no pack where none can.

    Args:
        dictionary: its number, 0 for none.
        awake: ordinals that were touched meanwhile: they may not fade this time.
    """
    texts, lost = read(disk, seed, batch.places)
    schemas, _ = read(disk, seed, batch.schemas)
    sources = [
        Source(ordinal, texts[ordinal], raw_bytes, schemas.get(schema), fades and ordinal not in awake,
               bytes(fidelity) if any(fidelity) else None)
        for ordinal, raw_bytes, schema, fades, fidelity in zip(
            batch.places.ordinal.tolist(), batch.raw_bytes.tolist(), batch.schema.tolist(), batch.may_fade.tolist(),
            batch.fidelity.tolist(), strict=True) if ordinal in texts]
    known = (dictionary, Dictionaries(disk)[dictionary]) if dictionary else None
    return (condense(batch.agent, batch.tier_set, sources, guard=guard, dictionary=known) if sources else None), lost


def train_dictionary(disk: Disk, seed: int, places: Places, raw_bytes_total: int) -> bytes:
    """The file of a dictionary learned from some texts, for an agent with so many bytes of them; empty for none."""
    samples = [text.encode() for _, text in sorted(read(disk, seed, places)[0].items())]
    trained = train(samples, raw_bytes_total)
    return encode_dictionary(trained) if trained and worth(trained, samples, raw_bytes_total) > 0 else b""


def form_schemas(disk: Disk, seed: int, kin: Kin) -> Formation:
    """The schemas of memories that may be alike."""
    texts, lost = read(disk, seed, kin.places)
    candidates = [
        Candidate(ordinal, texts.get(ordinal, ""), None if schema < 0 else schema, held,
                  lossless and ordinal not in lost)
        for ordinal, schema, held, lossless in zip(
            kin.places.ordinal.tolist(), kin.schema.tolist(), kin.held.tolist(), kin.lossless.tolist(), strict=True)]
    pairs = [(one, other) for one, other in kin.pairs.tolist()]
    return consolidate(candidates, pairs, TermFrequencyEmbedder().embed([one.text for one in candidates]).vectors)


def unreadable(disk: Disk, seed: int, places: Places) -> set[int]:
    """Which of these memories cannot be reconstructed."""
    return Texts(disk, seed).unreadable(places)


def traces(disk: Disk, packs: Sequence[int], dictionaries: Sequence[int], ordinals: Sequence[int],
           texts: Sequence[bytes] | None) -> tuple[list[int], list[int]]:
    """The packs and dictionaries that hold a trace of memories."""
    return traced_packs(disk, packs, ordinals, texts), traced_dictionaries(disk, dictionaries, texts)


def keep_originals(disk: Disk, agent: str, folded: Sequence[int], texts: dict[int, str],
                   without: Collection[int] = (), heads: Collection[int] = (),
                   gone: Sequence[bytes] = ()) -> EncodedPack | None:
    """The pack of what was said before it was abridged, with what lies in the packs that are folded into it; None where
    nothing is left.

    Args:
        without: memories whose originals are left out. heads: of these, those originals that say one of the texts
            `gone`, abridged or not.
    """
    said = [text.decode() for text in gone]
    kept = {ordinal: text for number in folded for ordinal, text in originals_in(disk, number)
            if ordinal not in without and not (
                ordinal in heads and any(text == one or is_abridgement(text, one) for one in said))} | texts
    if not kept:
        return None
    return encode_pack(agent, [Row(ordinal, text.encode()) for ordinal, text in sorted(kept.items())],
                       tier_set=ORIGINAL)
