"""The one place where structs become what clients read: MCP structured results, REST, events and `--json` alike.

1. Field names are those of the structs.
2. An instant (a field named in `INSTANTS`) is ISO text in UTC with milliseconds: 2026-01-02T03:04:05.678Z.
3. A fraction has four decimals at most: what lies beyond is noise, and costs a model's tokens.
"""

from __future__ import annotations

from typing import Any

import msgspec

from hippo.text.instants import format_instant

INSTANTS = frozenset({"created_at", "last_access", "archived_at", "verified_at", "at"})
DECIMALS = 4
_dressed_kinds = frozenset({dict, list, tuple, float})


def to_wire(value: Any) -> Any:
    """Structs, lists and dicts of them as plain JSON values, instants written out (rules 1 to 3)."""
    return _dressed(msgspec.to_builtins(value))


def to_json(value: Any) -> bytes:
    """The same, encoded as JSON."""
    return msgspec.json.encode(to_wire(value))


def _dressed(value: Any) -> Any:
    # The containers are fresh from to_builtins, so they are changed in place; tuples become lists.
    kind = type(value)
    if kind is tuple:
        value, kind = list(value), list
    if kind is dict:
        for name, inner in value.items():
            if type(inner) is int:
                if name in INSTANTS:
                    value[name] = format_instant(inner)
            elif type(inner) in _dressed_kinds:
                value[name] = _dressed(inner)
    elif kind is list:
        for place, inner in enumerate(value):
            if type(inner) in _dressed_kinds:
                value[place] = _dressed(inner)
    elif kind is float:
        return round(value, DECIMALS)
    return value
