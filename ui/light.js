// What is drawn over the picture: trails and lit memories, pulses of sleep, the selected memory, and words.

import { clamp } from "./camera.js";
import { Labels, scaled } from "./labels.js";
import { veil } from "./palette.js";
import { stamp } from "./sprites.js";
import { brief } from "./wording.js";

const TAIL = 11, TAIL_STEP = 0.045, BOW = 0.1, LABELS_MAX = 7;

/**
 * @param {import("./paint.js").Painter} painter
 * @param {import("./paint.js").View} view
 */
export function paintLight(painter, view) {
  paintPulses(painter, view);
  paintTies(painter, view, view.selected);
  if (view.selected < 0) paintTies(painter, view, view.focused);
  for (const trail of view.shine.trails) paintTrail(painter, view, trail);
  paintLit(painter, view);
  paintChosen(painter, view);
  paintWords(painter, view);
  painter.ctx.globalAlpha = 1;
}

function tierOf(view, place) {
  return view.model.nodes[place].tier;
}

function paintPulses(painter, view) {
  for (const [place, level] of view.pulses) {
    const size = painter.dotSize(view.camera, view.r[place]);
    painter.ctx.globalAlpha = level;
    stamp(painter.ctx, painter.sprites.halo(tierOf(view, place), size * (2.5 + 3 * level) + 4), painter.px[place], painter.py[place]);
    stamp(painter.ctx, painter.sprites.light(tierOf(view, place), size * 1.15), painter.px[place], painter.py[place]);
  }
  painter.ctx.globalAlpha = 1;
}

/** The associations of one memory. */
function paintTies(painter, view, place) {
  if (place < 0) return;
  const { ctx, px, py } = painter;
  for (const { a, b, weight, kind } of view.model.near(place)) {
    if (kind === "schema") continue;
    ctx.strokeStyle = veil(kind === "dream" ? painter.palette.dream : painter.palette.ink, 0.22 + 0.5 * Math.min(1, weight));
    ctx.lineWidth = (0.8 + 1.6 * Math.min(1, weight)) * painter.dpr;
    ctx.beginPath();
    ctx.moveTo(px[a], py[a]);
    ctx.lineTo(px[b], py[b]);
    ctx.stroke();
  }
}

function paintTrail(painter, view, { from, to, head, glow }) {
  const a = view.model.places.get(from), b = view.model.places.get(to);
  if (a === undefined || b === undefined) return;
  const { ctx, px, py, dpr } = painter, [cx, cy] = painter.bow(a, b, BOW), part = Math.min(1, head);
  const at = (t) => [(1 - t) ** 2 * px[a] + 2 * t * (1 - t) * cx + t * t * px[b],
    (1 - t) ** 2 * py[a] + 2 * t * (1 - t) * cy + t * t * py[b]];
  const steps = Math.max(2, Math.ceil(24 * part)), settled = clamp(head - 1, 0, 1);
  ctx.strokeStyle = veil(painter.palette.trail, glow * (0.75 - 0.3 * settled));
  ctx.lineWidth = (1.8 - 0.5 * settled) * dpr;
  ctx.lineCap = "round";
  ctx.beginPath();
  ctx.moveTo(px[a], py[a]);
  for (let k = 1; k <= steps; k++) ctx.lineTo(...at((k / steps) * part));
  ctx.stroke();
  for (let k = TAIL - 1; k >= 0; k--) {
    const t = head - k * TAIL_STEP; // the tail runs into the memory after the head has
    if (t < 0 || t > 1) continue;
    const [x, y] = at(t), drift = Math.sin(k * 2.4 + a) * k * 0.32 * dpr;
    ctx.globalAlpha = glow * (1 - k / TAIL) ** 1.4;
    stamp(ctx, painter.sprites.spark((2.9 - 0.17 * k) * dpr), x + drift, y - drift);
  }
  ctx.globalAlpha = 1;
}

function paintLit(painter, view) {
  const { ctx, px, py, dpr } = painter;
  for (const [id, { level, flash, hit }] of view.shine.lights) {
    const place = view.model.places.get(id);
    if (place === undefined) continue;
    const size = painter.dotSize(view.camera, view.r[place]) * (hit ? 1.3 : 1) * (1 + 0.35 * flash) + (hit ? 1.6 : 0.6) * dpr;
    ctx.globalAlpha = Math.min(1, level + 0.2 * flash);
    stamp(ctx, painter.sprites.light(tierOf(view, place), size), px[place], py[place]);
    if (flash > 0 && hit) {
      ctx.globalAlpha = 0.7 * flash * level;
      circle(ctx, px[place], py[place], size + (1 - flash) * 26 * dpr, painter.palette.trail, 1.4 * dpr);
    }
    paintItsRing(painter, view, place, level);
  }
  ctx.globalAlpha = 1;
}

/** A memory that lights in a ring lights the ring a little. */
function paintItsRing(painter, view, place, level) {
  const schema = view.model.nodes[place].schema ?? view.model.nodes[place].id;
  const k = view.rings.findIndex((ring) => ring.id === schema);
  if (k < 0) return;
  const { node, tier } = view.rings[k];
  painter.ctx.globalAlpha = 0.6 * level;
  circle(painter.ctx, painter.px[node], painter.py[node], view.ringR[k] * view.camera.scale * painter.dpr,
    painter.palette.tiers[tier], 1.6 * painter.dpr);
}

function circle(ctx, x, y, r, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.stroke();
}

function paintChosen(painter, view) {
  const { ctx, px, py, dpr, palette } = painter;
  const size = (place) => painter.dotSize(view.camera, view.r[place]);
  if (view.hovered >= 0) circle(ctx, px[view.hovered], py[view.hovered], size(view.hovered) + 4 * dpr, veil(palette.ink, 0.6), dpr);
  if (view.focused >= 0) {
    ctx.setLineDash([3 * dpr, 3 * dpr]);
    circle(ctx, px[view.focused], py[view.focused], size(view.focused) + 7 * dpr, palette.ink, 1.5 * dpr);
    ctx.setLineDash([]);
  }
  if (view.selected < 0) return;
  const x = px[view.selected], y = py[view.selected], r = size(view.selected) + 1.5 * dpr;
  stamp(ctx, painter.sprites.halo(tierOf(view, view.selected), r * 4), x, y);
  ctx.fillStyle = palette.chosen;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.fill();
  circle(ctx, x, y, r, palette.ink, 1 * dpr);
  circle(ctx, x, y, r + 4 * dpr, veil(palette.ink, 0.7), 1.2 * dpr);
}

function paintWords(painter, view) {
  const labels = new Labels(scaled(view.camera.clear, painter.dpr)), said = new Set();
  const say = (place, size, weight, must, alpha) => {
    if (place < 0 || said.has(place)) return;
    said.add(place);
    const text = brief(view.model.nodes[place].label, 44), wide = painter.measure(text, size, weight);
    const away = painter.dotSize(view.camera, view.r[place]) + 9 * painter.dpr;
    const at = labels.place(painter.px[place], painter.py[place], away, wide, (size + 7) * painter.dpr, must);
    if (!at) return;
    painter.ctx.globalAlpha = alpha;
    painter.write(text, at, size, painter.palette.ink, weight);
    painter.ctx.globalAlpha = 1;
  };
  say(view.selected, 13, 600, true, 1);
  say(view.hovered, 13, 500, true, 1);
  say(view.focused, 13, 500, true, 1);
  const hits = [...view.shine.lights].filter(([, light]) => light.hit).sort((one, other) => other[1].level - one[1].level);
  for (const [id, { level }] of hits.slice(0, LABELS_MAX)) say(view.model.places.get(id) ?? -1, 12.5, 500, false, Math.min(1, 0.35 + level));
}
