// The panel of one memory: what it says, how it fades, what it said before, what it is associated with, and what can
// be done with it. Everything a memory says is put in as text.

import { drawCurve } from "./curve.js";
import { TIERS } from "./model.js";
import { $, make, tell, working } from "./page.js";
import { brief, moment, shown, span } from "./wording.js";

const STRANGERS_MAX = 8;

export class Panel {
  /**
   * @param {{api: import("./api.js").Api, model: import("./model.js").Model, onSelect: (id: string) => void,
   *   onClose: () => void, onChange: (memory: object) => void, onForget: (id: string) => void}} given
   */
  constructor(given) {
    Object.assign(this, given);
    this.memory = null;
    $("close").addEventListener("click", () => this.onClose());
    $("edit").addEventListener("click", () => this._edit(true));
    $("edit-cancel").addEventListener("click", () => this._edit(false));
    $("edit-save").addEventListener("click", () => working($("edit-save"), () => this._save()));
    $("forget").addEventListener("click", () => this._ask());
    $("forget-cancel").addEventListener("click", () => $("forget-dialog").close());
    $("forget-confirm").addEventListener("click", () => working($("forget-confirm"), () => this._forget()));
    $("restore").addEventListener("click", () => working($("restore"), () => this._restore()));
    $("panel-more").addEventListener("click", () => working($("panel-more"), () => this._more()));
  }

  get open() {
    return !$("panel").hidden;
  }

  /** Shows a memory. @param {string} id */
  async show(id) {
    this._wanted = id;
    const memory = await this.api.inspect(id);
    if (this._wanted !== id) return null; // another one was selected meanwhile
    this.memory = memory;
    $("panel").hidden = false;
    this._edit(false);
    this._tell(memory);
    return memory;
  }

  close() {
    this._wanted = this.memory = null;
    $("panel").hidden = true;
    // Nothing of a memory stays in a page that no longer shows it: it may just have been forgotten.
    for (const id of ["panel-text", "panel-facts", "panel-original-text", "forget-what"]) $(id).textContent = "";
    for (const id of ["panel-history", "panel-associations"]) $(id).replaceChildren();
    $("edit-text").value = "";
  }

  _tell(memory) {
    $("panel-text").textContent = shown(memory.text);
    $("panel-more").hidden = !memory.next_offset;
    $("panel-tier").textContent = memory.tier;
    $("panel-tier").className = `chip ${memory.tier}`;
    const facts = [memory.kind, memory.entity, memory.tags?.join(", "), memory.scope, moment(memory.created_at)];
    $("panel-facts").textContent = shown(facts.filter(Boolean).join(" · "));
    $("panel-fidelity").textContent = fidelity(memory);
    $("panel-original").hidden = !memory.original;
    $("panel-original-text").textContent = shown(memory.original ?? "");
    $("restore").hidden = memory.lossless !== false;
    drawCurve($("panel-curve"), memory.stability ?? 1, memory.retention_now ?? 1);
    $("panel-fading").textContent = fading(memory);
    this._tellHistory(memory);
    this._tellAssociations(memory);
  }

  _tellHistory(memory) {
    const before = memory.history ?? [];
    $("panel-history-part").hidden = !before.length;
    $("panel-history").replaceChildren(...before.map((version) => make("li", {},
      make("span", { text: shown(version.text) }), make("small", { text: moment(version.created_at) }))));
  }

  _tellAssociations(memory) {
    const ties = [...(memory.associations ?? [])].sort((one, other) => other.weight - one.weight);
    $("panel-associations-part").hidden = !ties.length;
    let strangers = 0;
    $("panel-associations").replaceChildren(...ties.map(({ id, weight, origin }) => {
      const node = this.model.get(id);
      const words = make("span", { text: brief(node?.label ?? id, 90) });
      const button = make("button", { type: "button", "data-id": id, class: node?.tier ?? "", title: `weight ${weight.toFixed(2)}, ${origin ?? "learned"}` },
        make("i", { class: "dot" }), words, make("meter", { min: 0, max: 1, value: weight, "aria-label": "weight" }));
      button.addEventListener("click", () => this.onSelect(id));
      if (!node && strangers++ < STRANGERS_MAX) {
        this.api.inspect(id).then((found) => { words.textContent = brief(found.text, 90); }, () => {});
      }
      return make("li", {}, button);
    }));
  }

  async _more() {
    const page = await this.api.inspect(this.memory.id, this.memory.next_offset);
    $("panel-text").textContent += shown(page.text);
    this.memory = { ...this.memory, text: this.memory.text + page.text, next_offset: page.next_offset };
    $("panel-more").hidden = !page.next_offset;
  }

  async _edit(on) {
    if (on) {
      while (this.memory.next_offset) await this._more(); // what is corrected is the whole
      $("edit-text").value = this.memory.text;
    }
    $("panel-reading").hidden = on;
    $("panel-editing").hidden = !on;
    if (on) $("edit-text").focus();
  }

  async _save() {
    const { id } = this.memory, text = $("edit-text").value.trim();
    if (!text) return;
    await this.api.update(id, text);
    const memory = await this.show(id);
    tell(`Corrected: ${brief(text)}`);
    if (memory) this.onChange(memory);
    $("edit").focus();
  }

  _ask() {
    $("forget-what").textContent = brief(this.memory.text, 160);
    $("forget-dialog").showModal();
    $("forget-cancel").focus();
  }

  async _forget() {
    const { id } = this.memory;
    $("forget-dialog").close();
    await this.api.forget(id);
    this.onForget(id);
  }

  async _restore() {
    await this.api.restore(this.memory.id);
    const memory = await this.show(this.memory.id);
    tell(`Exact again: ${brief(memory?.text ?? "")}`);
    if (memory) this.onChange(memory);
  }
}

function fidelity(memory) {
  const percent = (part) => `${Math.floor(part * 100)} %`;
  if (memory.lossless !== false) return "Word for word, as it was said.";
  const kept = memory.fidelity;
  return kept ? `Abridged: ${percent(kept.rouge_l)} of the words, ${percent(kept.semantic)} of the meaning. No fact is changed.`
    : "Abridged. No fact is changed.";
}

function fading(memory) {
  const retained = `Retention ${Math.round((memory.retention_now ?? 1) * 100)} %`;
  const next = Object.entries(memory.tier_in_days ?? {}).filter(([tier, days]) => days > 0 && TIERS.indexOf(tier) > TIERS.indexOf(memory.tier)).sort((a, b) => a[1] - b[1])[0];
  const recalled = memory.access_count ? `, recalled ${memory.access_count === 1 ? "once" : `${memory.access_count} times`}` : "";
  return next ? `${retained}${recalled}. Unasked, it turns ${next[0]} in ${span(next[1])}.` : `${retained}${recalled}.`;
}
