"""The brain view in headless Chromium, which paints with the processor: frames at some sizes, opening a large store.

`frame` is what the page does for one picture, layout and paint; `shown` is the whole way from one picture to the next,
with the browser held to no rhythm: it contains what the browser adds, such as bringing the canvas to the screen. For
both, Chromium keeps to one core.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from hippo.limits import graph_nodes_default
from sims.bench.rig import Connection, daemon, fill, said, spread
from sims.chromium import Page, chromium, missing

_SEED = 7
_SIZES = (300, 2_000, 10_000)
_FRAMES_MIN = 300
_RECALLS, _OPENED = 3, 5
_SECONDS_MAX = 120.0
_UNBRIDLED = ("--disable-frame-rate-limit", "--disable-gpu-vsync")
# Put around the page's own frames before it begins: how long each took that draws so many strokes, how long after the
# one before it came, and when the first picture that holds memories was there.
_EARLY = """
const ask = window.requestAnimationFrame.bind(window);
window.__took = []; window.__apart = []; window.__waiting = 0; window.__strokes = 100;
let last = null, seen = false, strokes = 0;
for (const name of ["drawImage", "fillRect", "fill", "stroke"]) {
  const draw = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...given) { strokes += 1; return draw.apply(this, given); };
}
window.requestAnimationFrame = (draw) => {
  window.__waiting += 1;
  return ask((now) => {
    window.__waiting -= 1;
    const began = performance.now(), wide = last !== null && now - last;
    strokes = 0;
    draw(now);
    if (strokes >= window.__strokes) {
      window.__took.push(performance.now() - began);
      if (wide !== false) window.__apart.push(wide);
    }
    last = window.__waiting ? now : null;
    if (!seen && window.__brain?.counts().nodes > 0) {
      seen = true;
      ask(() => { window.__opened = performance.now(); });
    }
  });
};
"""


def measured(memories: int, folder: Path) -> dict[str, Any]:
    """Frames at 300, 2,000 and 10,000 memories; the time to open a store of `memories`, after a pass of sleep each."""
    if (program := missing()) is not None:
        raise RuntimeError(f"{program} is not installed (Debian: chromium and chromium-driver)")
    figures: dict[str, Any] = {"memories": memories, "frames": {}}
    talk = said(_SEED, max(memories, *_SIZES))
    filled = 0
    with daemon(folder) as (url, _, _):
        line = Connection(url)
        for size in sorted({*_SIZES, memories}):
            fill(line, talk[filled:size])
            filled = size
            line.rest("/api/sleep", {})  # schemas and associations as they are after a night
            if size in _SIZES:
                cues = [one.question for one in talk[:size:size // _RECALLS]]
                figures["frames"][str(size)] = _frames(line, cues)
                if size > graph_nodes_default:
                    figures["frames"][f"{size}, all of them shown"] = _frames(line, cues, f"/?limit={size}")
            if size == memories:
                figures["open"] = _opened(url)
    return figures


def _frames(line: Connection, cues: list[str], path: str = "/") -> dict[str, Any]:
    """Frames that draw the memories anew while the picture unfolds, from opening to rest; all while recalls light."""
    with ExitStack() as open_now:
        profile = open_now.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        with _one_core():
            page = open_now.enter_context(chromium(Path(profile), *_UNBRIDLED))
        page.run_early(_EARLY)
        unfolding, recall = _Frames(), _Frames()
        while len(unfolding.took) < _FRAMES_MIN:
            page.open("about:blank")
            page.open(line.url + path)
            page.wait(lambda: page.run("return window.__opened"), "the picture", _SECONDS_MAX)
            unfolding.take(page)
        page.run("window.__strokes = 0")
        for cue in cues:
            line.rest("/api/recall", {"cue": cue, "k": 10})
            page.wait(lambda: page.run("return window.__brain.lit().length"), "light", _SECONDS_MAX)
            recall.take(page)
        counts = page.run("return window.__brain.counts()")
        return {"nodes": counts["nodes"], "edges": counts["edges"], "unfolding": unfolding.said(),
                "recall": recall.said()}


class _Frames:
    """What frames took, in ms, and how far apart they came."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self.apart: list[float] = []

    def take(self, page: Page) -> None:
        """Waits until the page draws no more, and takes the frames since the last time."""
        page.wait(lambda: page.run("return window.__waiting === 0"), "rest", _SECONDS_MAX)
        took, apart = page.run("return [window.__took.splice(0), window.__apart.splice(0)]")
        self.took += took
        self.apart += apart

    def said(self) -> dict[str, Any]:
        """The figures."""
        return {"frames": len(self.took), "frame": spread(self.took), "shown": spread(self.apart)}


def _opened(url: str) -> dict[str, Any]:
    """From asking for the page to its first picture with memories in it, in a browser that is already open."""
    waits = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, chromium(Path(profile)) as page:
        page.run_early(_EARLY)
        for _ in range(_OPENED):
            page.open("about:blank")
            page.open(url)
            waits.append(float(page.wait(lambda: page.run("return window.__opened"), "the picture", _SECONDS_MAX)))
        counts = page.run("return window.__brain.counts()")
        return {"nodes": counts["nodes"], "folded": counts["folded"], "times": _OPENED, **spread(waits)}


@contextmanager
def _one_core() -> Iterator[None]:
    """What is started within keeps to one core, where the system can be told so."""
    if not hasattr(os, "sched_getaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
