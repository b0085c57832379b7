"""What the tests store: a household's month, a path that recall follows, texts that would break a careless page."""

from __future__ import annotations

import time
from typing import Any

from sims.corpus import Heard, corpus
from tests.browser.living import Living

DAY_MS = 86_400_000
HOUSEHOLD = 60
PHONE = (390, 844)  # CSS pixels
BEES = "Anna keeps bees behind Windmill Lane."
CUE = "bees behind Windmill Lane"

HOSTILE = {
    "markup": "<img src=x onerror=\"document.title='broken in'\"><b>bold</b> &amp; <script>document.title='broken in'</script>",
    "closing": "</script></style></textarea></title><svg onload=\"document.title='broken in'\">",
    "bidi": "paid \u202e000,01\u202c to \u2066evil\u2069 \u200f\u061c end",
    "control": "bell \u0007, escape \u001b[31m, delete \u007f, next line \u0085 end",
    "long": "Donaudampfschifffahrtsgesellschaft" * 60,
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301\u0323\u0300\u0301\u0302 漢字 ﷽ \U000e0041 end",
    "template": "${document.title='broken in'} {{7*7}} `x` javascript:alert(1) %00 \\u0000 end",
    "lines": "first line\n\nthird line\twith a tab\r\nlast line",
}


def household(agent: str, count: int = HOUSEHOLD, days: int = 14) -> list[dict[str, Any]]:
    """What one household said in the days up to yesterday, as rows of `remember`."""
    start_ms = int(time.time() * 1000) - (days + 1) * DAY_MS
    return [row(one, agent) for one in corpus(count, days, start_ms=start_ms).heard]


def row(one: Heard, agent: str) -> dict[str, Any]:
    """What an assistant stores of what it heard."""
    return {"text": one.text, "created_at": one.at, "conversation": one.conversation, "kind": one.kind,
            "agent_id": agent, **({"entity": one.entity} if one.entity else {}),
            **({} if one.salience is None else {"salience": one.salience})}


def path(daemon: Living, agent: str) -> list[str]:
    """A household, and three memories in a row: `CUE` matches the first, a relation leads to the second, and what was
    often asked together to the third. Their ids, as a recall tells the path."""
    daemon.fill(household(agent, 150, 30))
    ago = int(time.time() * 1000)
    ids = [daemon.remember(text, agent_id=agent, conversation=f"path {number}", kind="fact", entity=entity,
                           entity_type="person", created_at=ago - (9 - 2 * number) * DAY_MS)
           for number, (text, entity) in enumerate(((BEES, "Anna"), ("Борис чинит часы.", "Борис"),
                                                    ("Клавдия водит жёлтую лодку.", "Клавдия")))]
    for _ in range(4):
        daemon.ask("POST", "/api/recall", {"cue": "чинит часы, водит жёлтую лодку", "k": 2, "agent_id": agent})
    daemon.ask("POST", "/api/relate", {"source": "Anna", "relation": "sibling_of", "target": "Борис", "agent_id": agent})
    return ids
