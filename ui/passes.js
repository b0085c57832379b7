// Sleep and time on request: what a pass would do, a pass, and days that go by where the daemon allows it.

import { TIERS } from "./model.js";
import { $, make, tell, working } from "./page.js";
import { bytes, count, many } from "./wording.js";

export class Passes {
  /** @param {{api: import("./api.js").Api, onTime: () => void}} given */
  constructor(given) {
    Object.assign(this, given);
    $("preview").addEventListener("click", () => working($("preview"), () => this._preview()));
    $("preview-close").addEventListener("click", () => $("preview-dialog").close());
    $("sleep").addEventListener("click", () => working($("sleep"), () => this.api.sleep()));
    for (const button of document.querySelectorAll("[data-skip]")) {
      button.addEventListener("click", () => working(button, () => this._skip(Number(button.dataset.skip))));
    }
  }

  /** @param {boolean} allowed */
  allow(allowed) {
    for (const button of document.querySelectorAll("[data-skip]")) button.hidden = !allowed;
  }

  async _skip(days) {
    await this.api.skip(days);
    tell(`${many(days, "day")} went by.`);
    this.onTime();
  }

  async _preview() {
    tell("Looking at what a pass would do…");
    const report = await this.api.preview();
    tell("");
    $("preview-rows").replaceChildren(...TIERS.map((tier) => {
      const row = report.tiers?.[tier] ?? {}, { before = {}, after = {}, expected = {} } = row;
      const then = after.count ? after : expected;
      const cells = [`${count(before.count ?? 0)}`, `${count(then.count ?? before.count ?? 0)}`, bytes(before.stored_bytes ?? 0),
        bytes(then.stored_bytes ?? 0)];
      return make("tr", { class: tier }, make("th", { scope: "row" }, make("i", { class: "dot" }), tier),
        ...cells.map((text) => make("td", { text })));
    }));
    const facts = [many(report.edges_pruned ?? 0, "association") + " pruned", many(report.schemas_formed ?? 0, "memory", "memories") + " given a schema",
      many(report.sealed ?? 0, "text") + " packed", `${count(report.faded ?? 0)} of them abridged`];
    $("preview-facts").textContent = `${facts.join(", ")}.`;
    $("preview-bytes").textContent = `${bytes(report.before?.total_bytes ?? 0)} on disk now, about ${bytes(report.after?.total_bytes ?? 0)} after it.`;
    $("preview-dialog").showModal();
  }
}
