// All memories as a list, newest first, for screen readers and for everybody who would rather read.

import { $, make, working } from "./page.js";
import { moment, shown } from "./wording.js";

export class List {
  /** @param {{api: import("./api.js").Api, onSelect: (id: string) => void}} given */
  constructor(given) {
    Object.assign(this, given);
    $("list-toggle").addEventListener("click", () => this.toggle());
    $("list-more").addEventListener("click", () => working($("list-more"), () => this._page()));
  }

  get open() {
    return !$("list").hidden;
  }

  async toggle(on = !this.open) {
    $("list").hidden = !on;
    $("list-toggle").setAttribute("aria-pressed", String(on));
    if (on) await this.refresh();
  }

  async refresh() {
    if (!this.open) return;
    this._next = undefined;
    await working(null, () => this._page(true));
  }

  async _page(first = false) {
    const page = await this.api.page(this._next);
    const rows = (page.memories ?? []).map((memory) => this._row(memory));
    if (first) $("list-memories").replaceChildren(...rows);
    else $("list-memories").append(...rows);
    $("list-none").hidden = $("list-memories").children.length > 0;
    this._next = page.next ?? undefined;
    $("list-more").hidden = !page.next;
  }

  _row(memory) {
    const facts = [memory.tier, memory.kind, memory.entity, moment(memory.created_at)].filter(Boolean).join(" · ");
    const button = make("button", { type: "button", "data-id": memory.id, class: memory.tier },
      make("i", { class: "dot" }), make("span", { text: shown(memory.text) }), make("small", { text: shown(facts) }));
    button.addEventListener("click", () => this.onSelect(memory.id));
    return make("li", {}, button);
  }
}
