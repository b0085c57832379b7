"""The service while the store is open, in this process."""

from __future__ import annotations

from pathlib import Path

import trio

from hippo.model.verb import Remember
from tests.interfaces.awakened import awakened


async def test_a_time_limit_around_an_open_store_is_kept_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    with trio.move_on_after(0.5) as limit:
        async with awakened(tmp_path) as service:
            stored = await service.remember_one(Remember(text="The lamp is in the hall."))
            await trio.sleep_forever()
        raise AssertionError("what follows an open store is not reached")
    assert limit.cancelled_caught
    async with awakened(tmp_path) as service:
        assert (await service.portrait("default", stored.id)).memory.id == stored.id
