"""What sets of packs try."""

from __future__ import annotations

import random

import pytest

from hippo.codec import dense, ppmd, tiers
from hippo.codec.compression import Codec, codec_named, decode, encode
from hippo.codec.tiers import TIER_CODECS, TIER_SETS, encode_for

_chance = random.Random(1)
ENGLISH = b"\0".join(f"{name} wants to visit the {place} on {day} at {hour}:30 and asked for a {thing}.".encode()
                     for hour in range(7, 22) for name, place, day, thing in
                     [("Anna", "museum", "Monday", "ticket"), ("Quirin", "harbour", "Sunday", "guide")])
CONTENTS = {
    "nothing": b"", "a word": b"text", "english": ENGLISH, "random": _chance.randbytes(3_000),
    "hex": _chance.randbytes(2_000).hex().encode(), "cjk": "会議は午後に変更されました。東京で会いましょう。".encode() * 40,
    "german": b"Die Besprechung mit dem Kunden wurde auf Donnerstag verschoben. " * 30,
    "log": b"".join(b"2024-05-%02d INFO worker-%d finished job %d\n" % (at % 28 + 1, at % 4, at * 13) for at in range(200)),
    "long": ENGLISH * 60}


@pytest.mark.parametrize("tier_set", TIER_CODECS)
@pytest.mark.parametrize("content", CONTENTS)
def test_no_codec_of_a_set_would_have_been_much_shorter(tier_set: str, content: str) -> None:
    plain = CONTENTS[content]
    codec, stored = encode_for(tier_set, plain)
    assert decode(codec.number, stored, len(plain)) == plain
    for name in TIER_CODECS[tier_set]:
        other = encode(name, plain)
        assert other is None or len(stored) <= 1.05 * len(other) + 8, name


def test_every_set_of_packs_has_its_codecs_and_ends_with_one_that_always_can() -> None:
    assert set(TIER_CODECS) == {"hot", *TIER_SETS}
    for names in TIER_CODECS.values():
        assert names[-1] == "raw"
        assert len({codec_named(name).number for name in names}) == len(names)


def test_warm_holds_nothing_that_is_slow_to_read() -> None:
    assert not [name for name in TIER_CODECS["warm"] if "ppmd" in name or "lzma" in name]


def test_clear_losers_are_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def noted(name: str, plain: bytes, dictionary: bytes = b"") -> bytes | None:
        tried.append(name)
        return encode(name, plain, dictionary)

    monkeypatch.setattr(tiers, "encode", noted)
    assert encode_for("cold", ENGLISH)[0].name == "words+ppmd-6"
    assert not {"words+brotli-11", "brotli-11", "lzma-9", "zstd-19", "ppmd-6"} & set(tried)
    tried.clear()
    encode_for("cold", b"short")
    assert {"brotli-11", "lzma-9", "zstd-19", "ppmd-6"} <= set(tried)


def test_without_ppmd_the_word_transform_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppmd, "pyppmd", None)
    assert encode_for("cold", ENGLISH)[0].name == "words+brotli-11"
    assert encode_for("cold", ENGLISH, ENGLISH)[0].name in ("words+zstd-19+dictionary", "zstd-19+dictionary")


def test_a_dictionary_is_used_where_it_helps() -> None:
    for tier_set in TIER_SETS:
        codec, stored = encode_for(tier_set, ENGLISH, ENGLISH[::-1] + ENGLISH)
        assert codec.takes_dictionary
        assert len(stored) < len(encode_for(tier_set, ENGLISH)[1]) / 3


def test_what_a_codec_cannot_write_is_written_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "_shortest", lambda stream, name, coders, dictionary: None)
    codec, stored = encode_for("warm", ENGLISH)
    assert isinstance(codec, Codec)
    assert decode(codec.number, stored, len(ENGLISH)) == ENGLISH
