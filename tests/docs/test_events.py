"""The data of each event is what the docs say."""

from __future__ import annotations

import re

import trio

from hippo.daemon import awake
from hippo.model.knowledge_verb import Forget, Update
from hippo.model.verb import Recall, Remember, Sleep
from hippo.runtime.offload import Offload
from hippo.settings import Settings
from hippo.store.disk import FolderDisk
from tests.docs.regenerate import EVENTS

_BY_TIER = ("sleep.tiers", "tiers")  # their data has a number for each tier, whose names the docs need not repeat
_OF_A_HIT = {"id", "activation", "why", "path"}


async def test_an_event_says_what_the_docs_say_it_says(tmp_path):
    settings = Settings(dir=tmp_path, embedder="term-frequency", sleep_enabled=False, budget_bytes=1_000_000)
    heard = {}
    async with awake(settings, FolderDisk(tmp_path), Offload()) as service, service.subscribe(None, None) as events:
        stored = await service.remember_one(Remember(text="The spare key hangs behind the barn door."))
        await service.recall(Recall(cue="Where is the spare key?"))
        await service.update(Update(id=stored.id, text="The spare key hangs in the shed."))
        await service.forget(Forget(id=stored.id))
        await service.remember([Remember(text="Anna feeds the hens."), Remember(text="Ben feeds the goats.")])
        await service.sleep(Sleep())
        with trio.fail_after(60):
            async for event in events:
                heard[event.name] = event.data
                if event.name == "sleep.finished":
                    break
    assert heard.keys() == EVENTS.keys() - {"lagged"}
    for name, told in heard.items():
        documented = set(re.findall(r"`(\w+)`", EVENTS[name]))
        if name == "recalled":
            assert set(told["hits"][0]) == _OF_A_HIT
            assert documented == told.keys() | _OF_A_HIT
        elif name in _BY_TIER:
            assert set(told) == {"hot", "warm", "cool", "cold"}
        else:
            assert documented == set(told), name
