// The search: a real recall, its results as buttons.

import { $, make, working } from "./page.js";
import { brief } from "./wording.js";

const WHY = { seed: "matches", neighbour: "said next to a match", spread: "led to", listed: "listed" };

export class Search {
  /** @param {{api: import("./api.js").Api, onRecall: (hits: object[]) => void, onSelect: (id: string) => void, onMove: () => void}} given */
  constructor(given) {
    Object.assign(this, given);
    $("search").addEventListener("submit", (event) => {
      event.preventDefault();
      const cue = $("cue").value.trim();
      if (cue) working($("search-go"), () => this._recall(cue));
      else this.clear();
    });
    for (const id of ["cue", "results"]) $(id).addEventListener("keydown", (event) => this._walk(event));
    $("cue").addEventListener("input", () => { if (!$("cue").value) this.clear(); });
  }

  async _recall(cue) {
    const answer = await this.api.recall(cue);
    const results = answer.results ?? [];
    this._show(results, answer.note ?? (results.length ? "" : "Nothing came to mind."));
    this.onRecall(results.map(({ id, activation, why }) => ({ id, activation, why: why?.kind, path: why?.path ?? [] })));
  }

  _show(results, note) {
    $("found").hidden = false;
    $("results-note").hidden = !note;
    $("results-note").textContent = note;
    $("results").replaceChildren(...results.map((result) => {
      const why = result.why?.path?.length > 1 ? `led to in ${result.why.path.length - 1}` : WHY[result.why?.kind] ?? "";
      const button = make("button", { type: "button", "data-id": result.id, class: result.tier },
        make("i", { class: "dot" }), make("span", { text: brief(result.text, 140) }),
        make("small", { text: `${why} · ${Math.round(result.confidence * 100)} % sure` }));
      button.addEventListener("click", () => this.onSelect(result.id));
      return make("li", {}, button);
    }));
    this.onMove();
  }

  /** Arrow keys go from the cue to the results, and between them. */
  _walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], stops = [$("cue"), ...$("results").querySelectorAll("button")];
    const next = step && stops[stops.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  get open() {
    return !$("found").hidden;
  }

  clear() {
    $("found").hidden = true;
    $("results").replaceChildren();
    this.onMove();
  }
}
