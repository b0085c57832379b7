// The figures below the picture: how many memories each tier holds, and the bytes of the store.

import { ease } from "./camera.js";
import { $, make } from "./page.js";
import { TIERS } from "./model.js";
import { bytes, count } from "./wording.js";

const MEANING = { hot: "in use, word for word", warm: "packed, word for word", cool: "packed densely, perhaps abridged",
  cold: "packed as densely as can be, perhaps abridged" };

export class Figures {
  constructor() {
    this.still = false;
    this._run = null;
    this._total = null;
    this._bars = new Map(TIERS.map((tier) => {
      const bar = make("span", { class: "fill" }), number = make("b", { text: "0" });
      const line = make("li", { class: tier, "data-tier": tier, "data-count": 0, title: `${tier}: ${MEANING[tier]}` },
        make("span", { class: "tier" }, make("i", { class: "dot" }), tier), number, make("span", { class: "bar" }, bar));
      $("tiers").append(line);
      return [tier, { line, bar, number }];
    }));
  }

  /** @param {Record<string, number>} counts how many memories each tier holds */
  tiers(counts) {
    const most = Math.max(1, ...TIERS.map((tier) => counts[tier] ?? 0));
    for (const [tier, { line, bar, number }] of this._bars) {
      const n = counts[tier] ?? 0;
      line.dataset.count = n;
      number.textContent = count(n);
      bar.style.transform = `scaleX(${n / most})`;
    }
  }

  /** What `/api/stats` says. */
  stats(stats) {
    this.tiers(Object.fromEntries(TIERS.map((tier) => [tier, stats.tiers?.[tier]?.count ?? 0])));
    if (!this._run) this._show(stats.total_bytes ?? 0);
    $("bytes-note").textContent = stats.raw_bytes ? `on disk, for ${bytes(stats.raw_bytes)} of text` : "on disk";
    $("alert").hidden = !stats.alert;
    $("alert").textContent = stats.alert ?? "";
  }

  /**
   * Lets the byte counter run to what the store takes now.
   * @param {number} total
   * @param {number} now
   * @param {number} ms
   */
  run(total, now, ms) {
    if (this.still || this._total === null) this._show(total);
    else this._run = { from: this._total, to: total, start: now, ms };
  }

  /**
   * Shows what the counter has reached.
   * @param {number} now
   * @returns {boolean} whether it still runs
   */
  at(now) {
    if (!this._run) return false;
    const { from, to, start, ms } = this._run, part = Math.min(1, Math.max(0, (now - start) / ms));
    this._show(Math.round(from + (to - from) * ease(part)));
    if (part >= 1) this._run = null;
    return this._run !== null;
  }

  _show(total) {
    this._total = total;
    $("bytes").dataset.bytes = total;
    $("bytes").textContent = total < 1e7 ? `${count(total)} B` : bytes(total);
  }
}
