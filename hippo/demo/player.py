"""Plays the story: what the assistant does, and a line in plain words for each thing it does.

1. The first day is played slowly, so that a reader can look from the line to the page and back; later days are faster.
2. Of what a question brings to mind the first is told, what answers it, and what led to that.
3. Each turn comes after a pause, in which whoever stops the demo stops it at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hippo.demo.assistant import Assistant
from hippo.demo.story import Asked, Corrected, Passed, Slept, Told, Turn

_TURN_SECONDS, _LATER_TURN_SECONDS, _LOOK_SECONDS, _NIGHT_SECONDS = 1.0, 0.6, 2.5, 5.0
_SLOW_DAYS = 2
_TIERS = ("hot", "warm", "cool", "cold")


class Player:
    """One performance.

    Args:
        assistant: who remembers and recalls. say: is given each line.
        wait: is given seconds and returns whether to go on.
    """

    def __init__(self, assistant: Assistant, say: Callable[[str], None], wait: Callable[[float], bool]) -> None:
        self._assistant, self._say, self._wait = assistant, say, wait
        self._day, self._told_day = 1, 0
        self._texts: dict[str, str] = {}  # by id

    def play(self, story: tuple[Turn, ...]) -> None:
        """Plays a story to its end, or until it is stopped."""
        for turn in story:
            if not self._wait(_TURN_SECONDS if self._day <= _SLOW_DAYS else _LATER_TURN_SECONDS):
                return
            if not self._wait(self._take(turn)):
                return

    def _take(self, turn: Turn) -> float:
        """One turn; how long it wants to be looked at."""
        match turn:
            case Told():
                self._tell(turn)
                return 0.0
            case Asked():
                self._ask(turn.cue, turn.answer)
                return _LOOK_SECONDS
            case Corrected():
                self._correct(turn)
                return _LOOK_SECONDS
            case Slept():
                self._sleep()
                self._pass(1)
            case Passed():
                self._say("")
                self._say(turn.said)
                self._pass(turn.days)
                self._sleep()
        return _NIGHT_SECONDS

    def _pass(self, days: int) -> None:
        self._assistant.skip(days)
        self._day += days

    def _tell(self, turn: Told) -> None:
        self._line("hears", turn.text)
        stored = self._assistant.call("remember", text=turn.text, entity=turn.about, kind=turn.kind)
        self._texts[stored["id"]] = turn.text
        if turn.relation is not None:
            relation, target = turn.relation
            self._assistant.call("relate", source=turn.about, relation=relation, target=target)
            self._line("notes", f"{turn.about} → {relation} → {target}")

    def _ask(self, cue: str, wanted: str) -> dict[str, Any] | None:
        """What answers a question, where it came to mind."""
        self._line("asks", cue)
        found: list[dict[str, Any]] = self._assistant.call("recall", cue=cue)["results"]
        known = next((memory for memory in found if wanted in memory["text"]), None)
        shown = [] if not found or known is found[0] else [found[0]["text"]]
        if known is not None:
            way = [self._texts[one] for one in known["why"].get("path", ())[:-1] if one in self._texts]
            shown += [text for text in way if text not in shown]
        for text in shown:
            self._line("recalls", text)
        if known is not None:
            self._line("leads to" if way else "answers", known["text"])
        return known

    def _correct(self, turn: Corrected) -> None:
        known = self._ask(turn.cue, turn.before)
        if known is not None:
            self._assistant.call("update", id=known["id"], text=turn.text)
            self._texts[known["id"]] = turn.text
            self._line("corrects", turn.text)

    def _sleep(self) -> None:
        report = self._assistant.call("sleep")
        counts = {name: report["tiers"][name]["after"]["count"] for name in _TIERS}
        parts = [", ".join(f"{count} {name}" for name, count in counts.items() if count)]
        if report["schemas_formed"]:
            parts.append(f"{report['schemas_formed']} found to be of a kind")
        parts.append(f"{report['before']['total_bytes']:,} bytes become {report['after']['total_bytes']:,}")
        self._line("sleeps", "; ".join(parts))

    def _line(self, does: str, what: str) -> None:
        if self._told_day != self._day:
            self._told_day = self._day
            self._say("")
            self._say(f"Day {self._day}")
        self._say(f"  {does:<9} {what}")
