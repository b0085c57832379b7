// How a recall is shown: light that starts at the seeds and goes on hop by hop along the paths.
//
// 1. Seeds light one after the other, the best first, and what they led to one hop later; a memory on several paths
//    lights with the earliest.
// 2. A trail runs along a hop while it is made, and its line glows as long as the memory it led to.
// 3. Everything holds for a while and fades; with reduced motion it is there at once, without trails, and then gone.

import { clamp } from "./camera.js";

export const HOP_MS = 560;
export const SEED_MS = 90;
export const HOLD_MS = 6500;
export const FADE_MS = 1800;
const RISE_MS = 220, FLASH_MS = 700, PASSING = 0.55;

/**
 * @typedef {{id: string, activation: number, path: string[]}} Hit path: from the seed to it, empty for a seed
 * @typedef {{start: number, hops: {from: string, to: string, at: number}[],
 *   arrivals: Map<string, {at: number, level: number, hit: boolean}>, settled: number, dark: number, still: boolean}} Glow
 *   settled: from when on it only holds; dark: when it is over
 */

/**
 * Plans the light of a recall.
 * @param {Hit[]} hits
 * @param {number} start when it begins, ms
 * @param {boolean} [still] reduced motion
 * @returns {Glow}
 */
export function plan(hits, start, still = false) {
  const arrivals = new Map(), hops = new Map(), hop = still ? 0 : HOP_MS, seeds = [...new Set(hits.map(seedOf))];
  const arrive = (id, at, level, hit) => {
    const known = arrivals.get(id);
    if (!known) arrivals.set(id, { at, level, hit });
    else Object.assign(known, { at: Math.min(known.at, at), level: Math.max(known.level, level), hit: known.hit || hit });
  };
  for (const { id, activation, path } of hits) {
    const whole = path && path.length > 1 ? path : [id];
    const begins = start + (still ? 0 : SEED_MS * seeds.indexOf(whole[0]));
    whole.forEach((step, k) => arrive(step, begins + k * hop, step === id ? activation : PASSING * activation, step === id));
    for (let k = 1; k < whole.length; k++) {
      const key = `${whole[k - 1]} ${whole[k]}`, at = begins + (k - 1) * hop;
      if (!hops.has(key) || hops.get(key).at > at) hops.set(key, { from: whole[k - 1], to: whole[k], at });
    }
  }
  const last = Math.max(start, ...[...arrivals.values()].map((arrival) => arrival.at));
  return { start, hops: [...hops.values()], arrivals, settled: last + (still ? 0 : FLASH_MS), dark: last + HOLD_MS + (still ? 0 : FADE_MS), still };
}

function seedOf({ id, path }) {
  return path && path.length > 1 ? path[0] : id;
}

/**
 * @typedef {{lights: Map<string, {level: number, flash: number, hit: boolean}>,
 *   trails: {from: string, to: string, head: number, glow: number}[], level: number, active: boolean}} Shine
 *   head: how far the trail's head is, 0..1, beyond 1 once it has arrived; level: of the brightest light
 */

/**
 * What is lit at a moment.
 * @param {Glow[]} glows
 * @param {number} now
 * @returns {Shine}
 */
export function shine(glows, now) {
  const lights = new Map(), trails = [];
  let level = 0;
  for (const glow of glows) {
    const left = glow.still ? Number(now < glow.dark) : clamp((glow.dark - now) / FADE_MS, 0, 1);
    if (left <= 0) continue;
    for (const [id, arrival] of glow.arrivals) {
      const light = lightAt(arrival, now, left, glow.still);
      if (light.level <= 0) continue;
      level = Math.max(level, light.level);
      const known = lights.get(id);
      if (!known || known.level < light.level) lights.set(id, light);
    }
    if (!glow.still) trails.push(...trailsAt(glow, now, left));
  }
  return { lights, trails, level, active: glows.some((glow) => now < glow.dark) };
}

function lightAt(arrival, now, left, still) {
  const since = now - arrival.at;
  if (since < 0) return { level: 0, flash: 0, hit: arrival.hit };
  const risen = still ? 1 : clamp(since / RISE_MS, 0, 1);
  const level = (0.4 + 0.6 * arrival.level) * risen * left;
  return { level, flash: still ? 0 : clamp(1 - since / FLASH_MS, 0, 1) * risen, hit: arrival.hit };
}

function trailsAt(glow, now, left) {
  const trails = [];
  for (const { from, to, at } of glow.hops) {
    if (now < at) continue;
    trails.push({ from, to, head: Math.min((now - at) / HOP_MS, 2), glow: left });
  }
  return trails;
}

/** Whether the light changes at a moment, or only holds. */
export function restless(glows, now) {
  return glows.some((glow) => !glow.still && (now < glow.settled || now >= glow.dark - FADE_MS) && now < glow.dark);
}

/** When the light that holds will change. @returns {number} Infinity: never */
export function nextChange(glows) {
  return Math.min(...glows.map((glow) => (glow.still ? glow.dark : glow.dark - FADE_MS)));
}

/** Those of some glows that have not gone dark. */
export function burning(glows, now) {
  return glows.filter((glow) => now < glow.dark);
}
