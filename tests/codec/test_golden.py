"""What an earlier release wrote is read by this one, codec by codec and pack by pack.

`golden/2.json` was written once by the release that brought packs of format 2, and is never written again; a later
format adds a file (`freeze` writes one), and changes none.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from hippo.codec.block import Folded, Row, block_at, decode_block, fidelity_of, ordinals_of
from hippo.codec.compression import codec_named, decode, encode
from hippo.codec.dictionary import decode_dictionary, encode_dictionary
from hippo.codec.pack import encode_pack, preamble_at
from tests.codec.test_compression import NAMES

GOLDEN = Path(__file__).parent / "golden"
TEXT = ("Anna's flight to Lisbon leaves at 6:40 on July 12; DON'T forget the adapter (type C).\0"
        "Quirin can't come – he has 1,500 things to do, Quirin said… “Maybe” 東京 🦛\n"
        "def answer(): return 42  # 000123456789012\0Quirin's dog is called Zé.\0").encode()
DICTIONARY = b"Anna's flight to Porto leaves at 7:40 on July 2.\0Quirin can't come, he is ill."
SCHEMAS = [b"the weekly report is due on Friday", b"buy bread, milk and eggs"]
NOTE = " ".join(f"{at * 7919 % 10_007}" for at in range(1_200)).encode()
FOLDED = [Row(3 * at, sha256(bytes([at])).digest(), b"\0" + bytes([at]) * 3 if at % 5 else None, at % 2,
              bytes([240, 230, at]) if at % 3 else None) for at in range(20)]
SPOKEN = [Row(at, b"Quirin can't come to Porto on July %d, he has %d things to do." % (at, at * 37)) for at in range(1, 31)]
LONG = [Row(100, NOTE), Row(101, NOTE[:2_000] + b" inserted " + NOTE[2_000:])]
PACKS = {"warm": SPOKEN, "cool": FOLDED, "cold": [*SPOKEN, *LONG]}


def freeze(file: Path) -> None:
    """Writes what the present release makes of all this."""
    codecs = {name: encode(name, TEXT, DICTIONARY) for name in NAMES}
    packs = {tier_set: encode_pack("Zoë", rows, tier_set=tier_set, schemas=SCHEMAS, dictionary=(2, DICTIONARY)).content
             for tier_set, rows in PACKS.items()}
    file.write_text(json.dumps({
        "codecs": {name: b64encode(stored or b"").decode() for name, stored in codecs.items()},
        "packs": {name: b64encode(content).decode() for name, content in packs.items()},
        "dictionary": b64encode(encode_dictionary(DICTIONARY)).decode()}, indent=1) + "\n", "utf-8")


def golden() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / "2.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_what_a_codec_wrote_is_still_read(name: str) -> None:
    stored = b64decode(golden()["codecs"][name])
    assert decode(codec_named(name).number, stored, len(TEXT), DICTIONARY) == TEXT


@pytest.mark.parametrize("tier_set", PACKS)
def test_a_pack_holds_what_it_held(tier_set: str) -> None:
    dictionary = decode_dictionary(b64decode(golden()["dictionary"]))
    assert dictionary == DICTIONARY
    content = b64decode(golden()["packs"][tier_set])
    preamble = preamble_at(content, 0)
    assert preamble is not None
    assert preamble[:3] == (2, "Zoë", tier_set)
    at, blocks = preamble.own_bytes, []
    while (block := block_at(content, at)) is not None:
        blocks.append(block)
        at = block.end
    used = [any(getattr(block, part) for block in blocks) for part in ("dictionary", "schemas", "base")]
    assert used == {"warm": [True, False, False], "cool": [False, True, False], "cold": [True, False, True]}[tier_set]
    held = [row for block in blocks for row in decode_block(content, block, {2: dictionary})]
    rows = dict(zip(ordinals_of(blocks).tolist(), held, strict=True))
    for row in PACKS[tier_set]:
        assert rows[row.ordinal] in (row.plain, Folded(SCHEMAS[row.schema], row.residual or b""))
    fidelity = dict(zip(ordinals_of(blocks).tolist(), fidelity_of(blocks).tolist(), strict=True))
    assert fidelity == {row.ordinal: list(row.fidelity or bytes(3)) for row in PACKS[tier_set]}


def test_every_codec_there_is_was_frozen(tmp_path: Path) -> None:
    freeze(tmp_path / "2.json")
    now = json.loads((tmp_path / "2.json").read_text("utf-8"))
    assert [now[part].keys() for part in ("codecs", "packs")] == [golden()[part].keys() for part in ("codecs", "packs")]
