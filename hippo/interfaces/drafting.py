"""Checking what comes in: from a verb as a client sent it to a draft, filters and an agent that hold every limit.

What was given comes back byte for byte, but for half of a surrogate pair, which cannot be stored: it becomes U+FFFD,
and the answer says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

import msgspec

from hippo import limits
from hippo.errors import EmptyText, InvalidArgument, TextTooLong
from hippo.model.knowledge_verb import Update
from hippo.model.memory import Draft, Memory
from hippo.model.verb import ListMemories, Recall, Remember
from hippo.runtime.messages import Filters
from hippo.text.instants import parse_instant
from hippo.text.surrogates import whole

_REPLACED = "A half of a surrogate pair cannot be stored; it became U+FFFD."
_SEPARATOR = "\x1f"  # joins the tags of a memory in the index, so that no tag may hold it


class Drafting:
    """Checks what clients send.

    Args:
        zone: in which `yesterday` and the like are meant.
    """

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    def agent(self, name: str | None) -> str:
        """The agent that is meant."""
        return self.name(name, "agent_id", limits.agent_characters_max) or "default"

    def draft(self, verb: Remember, now: int) -> tuple[Draft, str | None]:
        """A memory that holds every limit, and what was changed on the way in.

        Raises:
            HippoError: naming the field and its limit.
        """
        text = self.text(verb.text)
        salience = verb.salience if verb.salience is not None else verb.importance
        draft = Draft(
            text=text, agent_id=self.agent(verb.agent_id),
            scope=self.name(verb.scope, "scope", limits.scope_characters_max) or "",
            salience=_salience(limits.salience_default if salience is None else salience),
            kind=self.name(verb.kind, "kind", limits.kind_characters_max) or "episode",
            retention=_retention(verb.retention),
            entity=self.name(verb.entity, "entity", limits.entity_characters_max),
            entity_type=self.name(verb.entity_type, "entity_type", limits.entity_type_characters_max),
            tags=self._tags(verb.tags), source=self.name(verb.source, "source", limits.source_characters_max),
            conversation=self.name(verb.conversation, "conversation", limits.conversation_characters_max),
            created_at=now if verb.created_at is None else self.instant(verb.created_at, now),
            key=self.name(verb.key, "key", limits.key_characters_max), protected=verb.protected)
        return draft, None if text == verb.text else _REPLACED

    def filters(self, verb: Recall | ListMemories, now: int) -> Filters:
        """What may be recalled."""
        return Filters(
            scopes=None if verb.scope is None else tuple(whole(scope) for scope in verb.scope),
            kind=self.name(verb.kind, "kind", limits.kind_characters_max),
            entity=self.name(verb.entity, "entity", limits.entity_characters_max),
            entity_type=self.name(verb.type, "type", limits.entity_type_characters_max),
            tags=self._tags(verb.tags or ()), tags_all=verb.tags_match == "all",
            since=None if verb.since is None else self.instant(verb.since, now),
            until=None if verb.until is None else self.instant(verb.until, now, end=True),
            include_archived=verb.include_archived, include_superseded=verb.include_superseded)

    def text(self, given: str) -> str:
        """A text that can be stored.

        Raises:
            EmptyText, TextTooLong: it cannot.
        """
        text = whole(given)
        if not text.strip():
            raise EmptyText
        if len(text) > limits.text_characters_max:
            raise TextTooLong(length=len(text), limit=limits.text_characters_max)
        return text

    def entity(self, name: str) -> str:
        """The name of an entity.

        Raises:
            InvalidArgument: it is empty or too long.
        """
        return self.named(name, "entity", limits.entity_characters_max)

    def named(self, value: str, field: str, limit: int) -> str:
        """A short name that has to be there.

        Raises:
            InvalidArgument: it is blank or too long.
        """
        found = self.name(value, field, limit)
        if found is None:
            raise InvalidArgument(what=f"{field} is not empty.")
        return found

    def revised(self, before: Draft, verb: Update) -> tuple[Draft, str | None]:
        """What a memory is after a correction, and what was changed on the way in.

        Raises:
            HippoError: naming the field and its limit, or that nothing is given.
        """
        changes: dict[str, Any] = {}
        if verb.text is not None:
            changes["text"] = self.text(verb.text)
        if verb.salience is not None:
            changes["salience"] = _salience(verb.salience)
        if verb.retention is not None:
            changes["retention"] = _retention(verb.retention)
        if verb.tags is not None:
            changes["tags"] = self._tags(verb.tags)
        if verb.protected is not None:
            changes["protected"] = verb.protected
        for field, value, limit in (("kind", verb.kind, limits.kind_characters_max),
                                    ("scope", verb.scope, limits.scope_characters_max),
                                    ("entity", verb.new_entity, limits.entity_characters_max),
                                    ("entity_type", verb.entity_type, limits.entity_type_characters_max)):
            if value is not None:
                changes[field] = self.name(value, field, limit) or {"kind": "episode", "scope": ""}.get(field)
        if not changes:
            raise InvalidArgument(what="update changes nothing: give a text, or what else is to be another.")
        note = None if verb.text is None or changes["text"] == verb.text else _REPLACED
        return msgspec.structs.replace(before, **changes), note

    def merged(self, text: str, memories: Sequence[Memory], entity: str | None, now: int) -> tuple[Draft, str | None]:
        """The memory that stands for several of one kind and scope: as salient and as lasting as the first of them."""
        first = memories[0]
        lasting = max((one.retention for one in memories), key=limits.retention_days.__getitem__)
        made = self.text(text)
        types = [one.entity_type for one in memories if one.entity_type]
        return Draft(
            text=made, agent_id=first.agent_id, scope=first.scope, salience=max(one.salience for one in memories),
            kind=first.kind, retention=lasting, entity=entity, entity_type=types[0] if types and entity else None,
            tags=self._tags([tag for one in memories for tag in one.tags]), created_at=now,
            protected=any(one.protected for one in memories)), None if made == text else _REPLACED

    def instant(self, value: str | int, now: int, *, end: bool = False) -> int:
        """A moment as it was given, UTC milliseconds. Raises NotAnInstant."""
        return parse_instant(value, now_ms=now, zone=self._zone, end=end)

    def _tags(self, tags: list[str] | tuple[str, ...]) -> tuple[str, ...]:
        named = sorted({name for tag in tags if (name := self.name(tag, "a tag", limits.tag_characters_max))})
        if len(named) > limits.tags_max:
            raise InvalidArgument(what=f"A memory has at most {limits.tags_max} tags, not {len(named)}.")
        return tuple(named)

    def name(self, value: str | None, field: str, limit: int) -> str | None:
        """A short name, None where it is absent or blank. Raises InvalidArgument where it is too long."""
        if value is None or not value.strip():
            return None
        name = whole(value)
        if len(name) > limit:
            raise InvalidArgument(what=f"{field} has at most {limit} characters, not {len(name)}.")
        if _SEPARATOR in name:
            raise InvalidArgument(what=f"{field} holds the control character U+001F, which is not allowed there.")
        return name


def _salience(given: float) -> float:
    if not 0.0 <= given <= 1.0:
        raise InvalidArgument(what=f"salience is 0 to 1, not {given}.")
    return round(given * limits.salience_steps) / limits.salience_steps


def _retention(given: str) -> str:
    if given not in limits.retention_days:
        raise InvalidArgument(what=f"retention is one of {', '.join(limits.retention_days)}.")
    return given
