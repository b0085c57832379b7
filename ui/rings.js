// Which memory lies where it is pushed, and which lies in the ring of its schema.
//
// 1. A schema is a ring with its own memory in the middle; its members lie around it like the seeds of a sunflower,
//    the warmest innermost.
// 2. What has faded takes less room, so a ring shrinks when its members are condensed.
// 3. Between two bodies there is one link, as strong as their associations together.

import { hash, sunflower } from "./seed.js";

const STEP = { hot: 13, warm: 11.5, cool: 9.5, cold: 7.5 };
const RADIUS = { hot: 4.4, warm: 3.9, cool: 3.2, cold: 2.5 };
const WARMTH = { hot: 0, warm: 1, cool: 2, cold: 3 };

/**
 * How large a memory is drawn.
 * @param {string} tier
 * @param {number} salience
 */
export function nodeRadius(tier, salience) {
  return RADIUS[tier] * (0.75 + 0.55 * salience);
}

/**
 * @typedef {{id: string, node: number, body: number, radius: number, members: number[], folded: number, tier: string}}
 *   Ring
 * @typedef {{bodies: import("./layout.js").Body[], links: import("./layout.js").Link[], bodyOf: Int32Array,
 *   offsetX: Float32Array, offsetY: Float32Array, rings: Ring[]}} Arrangement
 *   bodyOf: the body that each node lies in, at an offset from its middle
 */

/**
 * @param {import("./model.js").Model} model
 * @returns {Arrangement}
 */
export function arrangement(model) {
  const n = model.nodes.length;
  const bodyOf = new Int32Array(n).fill(-1), offsetX = new Float32Array(n), offsetY = new Float32Array(n);
  const rings = ringsOf(model), bodies = [];
  for (const ring of rings) {
    ring.body = bodies.length;
    bodyOf[ring.node] = ring.body;
    spread(ring, model.nodes, bodyOf, offsetX, offsetY);
    bodies.push({ id: ring.id, radius: ring.radius, ring: true, near: -1 });
  }
  model.nodes.forEach((node, place) => {
    if (bodyOf[place] >= 0) return;
    bodyOf[place] = bodies.length;
    bodies.push({ id: node.id, radius: nodeRadius(node.tier, node.salience), ring: false, near: -1 });
  });
  const links = linksOf(model.edges, bodyOf);
  hint(bodies, links);
  return { bodies, links, bodyOf, offsetX, offsetY, rings };
}

/** @returns {Ring[]} */
function ringsOf(model) {
  const rings = new Map();
  for (const [id, schema] of model.schemas) {
    const node = model.places.get(id);
    if (node !== undefined) rings.set(id, { id, node, body: 0, radius: 0, members: [], folded: schema.folded, tier: "" });
  }
  model.nodes.forEach((node, place) => {
    const ring = rings.get(node.schema);
    if (ring && !rings.has(node.id)) ring.members.push(place);
  });
  return [...rings.values()].filter((ring) => ring.members.length || ring.folded);
}

function spread(ring, nodes, bodyOf, offsetX, offsetY) {
  const warmth = (place) => WARMTH[nodes[place].tier];
  ring.members.sort((a, b) => warmth(a) - warmth(b) || nodes[a].created_at - nodes[b].created_at || a - b);
  const area = ring.members.reduce((sum, place) => sum + STEP[nodes[place].tier] ** 2, STEP.hot ** 2);
  const step = Math.sqrt(area / (ring.members.length + 1)), turn = (hash(ring.id) % 360) * (Math.PI / 180);
  ring.members.forEach((place, k) => {
    bodyOf[place] = ring.body;
    [offsetX[place], offsetY[place]] = sunflower(k + 1, step, turn);
  });
  const hidden = ring.folded ? 3 + 1.6 * Math.sqrt(ring.folded) : 0; // those that are only counted widen it a little
  ring.radius = 0.564 * Math.sqrt(area) + 7 + hidden;
  ring.tier = median(ring.members.map((place) => nodes[place].tier)) ?? nodes[ring.node].tier;
}

function median(tiers) {
  return tiers.sort((a, b) => WARMTH[a] - WARMTH[b])[tiers.length >> 1];
}

function linksOf(edges, bodyOf) {
  const links = new Map();
  for (const { a, b, weight, kind } of edges) {
    const one = Math.min(bodyOf[a], bodyOf[b]), other = Math.max(bodyOf[a], bodyOf[b]);
    if (one === other || kind === "schema") continue;
    const key = one * 16_777_216 + other, link = links.get(key);
    if (link) link.weight = Math.min(1, link.weight + weight);
    else links.set(key, { a: one, b: other, weight });
  }
  return [...links.values()];
}

/** A body that is new begins beside what it is most associated with. */
function hint(bodies, links) {
  const best = new Float32Array(bodies.length);
  for (const { a, b, weight } of links) {
    if (weight > best[a]) [best[a], bodies[a].near] = [weight, b];
    if (weight > best[b]) [best[b], bodies[b].near] = [weight, a];
  }
}
