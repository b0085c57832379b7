"""A dump has all that a memory has, and defaults that stay."""

from __future__ import annotations

import msgspec
import pytest

from hippo.model.dump import MemoryDump
from hippo.model.memory import Memory


def test_a_dump_has_every_field_of_a_memory_in_its_order() -> None:
    elsewhere = {"agent_id", "encoding"}  # the agent holds it; the store that reads it back chooses its own
    assert list(MemoryDump.__struct_fields__) == [
        *(name for name in Memory.__struct_fields__ if name not in elsewhere), "revision"]


def test_the_defaults_are_part_of_the_format_and_never_change() -> None:
    defaults = {field.name: field.default for field in msgspec.structs.fields(MemoryDump) if not field.required}
    assert defaults == {
        "scope": "", "salience": 0.3, "kind": "episode", "retention": "standard", "entity": None, "entity_type": None,
        "tags": (), "source": None, "conversation": None, "key": None, "protected": False, "access_count": 1,
        "encounter_count": 1, "intensity": 0.3, "tier": "hot", "lossless": True, "fidelity": None, "schema": None,
        "schema_hold": False, "superseded_by": None, "archived_at": None, "revision": False}


def test_a_revision_names_what_it_is_an_earlier_wording_of() -> None:
    with pytest.raises(ValueError, match="superseded_by"):
        MemoryDump(id="00000001", text="x", created_at=0, last_access=0, stability=1.0, revision=True)
