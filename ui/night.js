// Sleep as it is shown: replay, fold, condense. A pass may be over in a blink; each stage takes the time to be seen.
//
// 1. A stage begins when the one before has been seen and the daemon has come that far.
// 2. A pass that begins while another is still shown takes its place.
// 3. With reduced motion a stage lasts only until the daemon has come further.

import { clamp } from "./camera.js";

export const STAGE_MS = { replay: 2600, fold: 2400, condense: 2800 };
const PULSE_MS = 620;
const REACHED = { "sleep.schemas": "fold", "sleep.tiers": "condense", "sleep.seal": "condense", "sleep.finished": "end" };
const ORDER = ["replay", "fold", "condense", "end"];

export class Night {
  constructor() {
    this.still = false;
    /** @type {null | "replay" | "fold" | "condense"} */
    this.stage = null;
    this._since = 0;
    this._reached = 0;
  }

  /**
   * @param {string} name of an event
   * @param {number} now
   * @returns {boolean} whether a pass has just begun
   */
  hear(name, now) {
    if (name === "sleep.started") {
      [this.stage, this._since, this._reached] = ["replay", now, 0];
      return true;
    }
    const reached = ORDER.indexOf(REACHED[name] ?? "replay");
    if (this.stage) this._reached = Math.max(this._reached, reached);
    return false;
  }

  /** The daemon fell silent: nothing more will be heard of this pass. */
  wake() {
    this.stage = null;
  }

  /** How far the stage is, 0..1. */
  progress(now) {
    return this.stage ? clamp((now - this._since) / STAGE_MS[this.stage], 0, 1) : 0;
  }

  /**
   * Goes on to the next stage when it is time.
   * @param {number} now
   * @returns {null | "fold" | "condense" | "end"} what has just begun
   */
  at(now) {
    if (!this.stage) return null;
    const next = ORDER.indexOf(this.stage) + 1;
    const seen = this.still || now - this._since >= STAGE_MS[this.stage];
    if (!seen || this._reached < next) return null;
    this.stage = ORDER[next] === "end" ? null : ORDER[next];
    this._since = now;
    return ORDER[next];
  }
}

/**
 * How brightly the k-th of so many memories pulses in replay: one after the other, each rising and falling.
 * @param {number} k
 * @param {number} count
 * @param {number} progress of the stage, 0..1
 */
export function pulse(k, count, progress) {
  const begins = count > 1 ? (k / (count - 1)) * (STAGE_MS.replay - PULSE_MS) : 0;
  const part = (progress * STAGE_MS.replay - begins) / PULSE_MS;
  return part <= 0 || part >= 1 ? 0 : Math.sin(Math.PI * part);
}
