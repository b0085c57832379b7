// Draws the picture. While only light changes, what is below (ground, rings, associations, memories) is a layer that
// is kept; trails, lit memories and words are drawn over it in every frame.
//
// 1. Lines are drawn together by colour, a few hundred to a path; memories are copies of sprites, the smallest squares.
// 2. Sizes are device pixels here; a memory's size follows the zoom less than distances do.

import { Labels, scaled } from "./labels.js";
import { paintLight } from "./light.js";
import { PALETTES, veil } from "./palette.js";
import { Sprites, stamp } from "./sprites.js";
import { brief, count } from "./wording.js";

const PATH_LINES = 200, TIER_NAMES = ["hot", "warm", "cool", "cold"];
const SPECK = 1.3; // device pixels of radius, below which nobody sees that it is no disc
const EDGE_ALPHA = [0.17, 0.3, 0.5];
const FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif";

/**
 * @typedef {object} View what is to be seen, made by `brain.js`
 * @property {import("./model.js").Model} model
 * @property {import("./camera.js").Camera} camera
 * @property {Float32Array} x
 * @property {Float32Array} y
 * @property {Float32Array} r
 * @property {Uint8Array} tier position in TIERS
 * @property {Uint8Array} tierWas
 * @property {number} turned how far memories have turned from one tier to the other, 0..1
 * @property {import("./rings.js").Ring[]} rings
 * @property {Float32Array} ringR as drawn now
 * @property {{a: Int32Array, b: Int32Array, bucket: Uint8Array, count: number}} lines
 * @property {{a: number, b: number}[]} dreams
 * @property {import("./activation.js").Shine} shine
 * @property {Map<number, number>} pulses node -> level
 * @property {number} selected -1: none
 * @property {number} hovered
 * @property {number} focused
 * @property {boolean} dirty whether the layer below is to be drawn anew
 */

export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.ctx = canvas.getContext("2d", { alpha: false });
    this.layer = document.createElement("canvas");
    this.ground = document.createElement("canvas");
    this.px = this.py = new Float32Array(0);
    this.dpr = 1;
    this.theme("dark");
  }

  /** @param {"dark" | "light"} name */
  theme(name) {
    this.palette = PALETTES[name];
    this.sprites = new Sprites(this.palette);
    this._drawGround();
  }

  /** @param {number} width CSS pixels @param {number} height @param {number} dpr device pixels of one */
  resize(width, height, dpr) {
    this.dpr = dpr;
    for (const canvas of [this.canvas, this.layer, this.ground]) {
      canvas.width = Math.max(1, Math.round(width * dpr));
      canvas.height = Math.max(1, Math.round(height * dpr));
    }
    this.below = this.layer.getContext("2d", { alpha: false });
    this._drawGround();
  }

  _drawGround() {
    const ctx = this.ground.getContext("2d", { alpha: false }), { width, height } = this.ground;
    const wash = ctx.createRadialGradient(width / 2, height * 0.46, 0, width / 2, height * 0.46, Math.hypot(width, height) * 0.55);
    wash.addColorStop(0, this.palette.middle);
    wash.addColorStop(1, this.palette.ground);
    ctx.fillStyle = wash;
    ctx.fillRect(0, 0, width, height);
  }

  /** @param {View} view */
  draw(view) {
    if (view.dirty && !view.shine.level) {
      this._drawScene(this.ctx, view);
      this._stale = true;
    } else this._drawDimmed(view, 1 - 0.5 * view.shine.level);
    paintLight(this, view);
  }

  /** The layer that is kept, darker the brighter something is lit. */
  _drawDimmed(view, brightness) {
    const { ctx } = this;
    if (view.dirty || this._stale) this._drawScene(this.below, view);
    this._stale = false;
    if (brightness < 1) ctx.drawImage(this.ground, 0, 0);
    ctx.globalAlpha = brightness;
    ctx.drawImage(this.layer, 0, 0);
    ctx.globalAlpha = 1;
  }

  _drawScene(ctx, view) {
    ctx.globalAlpha = 1;
    ctx.drawImage(this.ground, 0, 0);
    this._project(view);
    this._drawRings(ctx, view);
    this._drawLines(ctx, view);
    this._drawDreams(ctx, view);
    this._drawNodes(ctx, view);
    this._drawRingWords(ctx, view);
  }

  /** Where each memory is on the canvas. */
  _project({ model, camera, x, y }) {
    const n = model.nodes.length, s = camera.scale * this.dpr;
    if (this.px.length < n) {
      this.px = new Float32Array(n + 256);
      this.py = new Float32Array(n + 256);
    }
    const ox = (camera.width / 2 + camera.shiftX - camera.x * camera.scale) * this.dpr;
    const oy = (camera.height / 2 + camera.shiftY - camera.y * camera.scale) * this.dpr;
    for (let i = 0; i < n; i++) {
      this.px[i] = x[i] * s + ox;
      this.py[i] = y[i] * s + oy;
    }
  }

  /** How many device pixels a memory of a radius has. */
  dotSize(camera, radius) {
    return Math.max(0.8, radius * Math.min(2.2, camera.scale ** 0.8)) * this.dpr;
  }

  _drawRings(ctx, view) {
    const s = view.camera.scale * this.dpr;
    ctx.lineWidth = 1.25 * this.dpr;
    view.rings.forEach((ring, k) => {
      const r = view.ringR[k] * s, colour = this.palette.tiers[ring.tier];
      ctx.beginPath();
      ctx.arc(this.px[ring.node], this.py[ring.node], r, 0, 2 * Math.PI);
      ctx.fillStyle = veil(colour, 0.055);
      ctx.fill();
      ctx.strokeStyle = veil(colour, 0.5);
      ctx.stroke();
    });
  }

  _drawLines(ctx, { lines }) {
    const { px, py } = this, { width, height } = this.layer;
    ctx.lineWidth = 1;
    const thin = Math.min(1, Math.max(0.3, Math.sqrt(800 / (lines.count + 1)))); // many lines are a fog
    for (let bucket = 0; bucket < EDGE_ALPHA.length; bucket++) {
      ctx.strokeStyle = veil(this.palette.edge, EDGE_ALPHA[bucket] * thin);
      let open = 0;
      for (let k = 0; k < lines.count; k++) {
        if (lines.bucket[k] !== bucket) continue;
        const a = lines.a[k], b = lines.b[k], x1 = px[a], y1 = py[a], x2 = px[b], y2 = py[b];
        if ((x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > width && x2 > width) || (y1 > height && y2 > height)) continue;
        if (open === 0) ctx.beginPath();
        ctx.moveTo(x1, y1);
        ctx.lineTo(x2, y2);
        if (++open === PATH_LINES) {
          ctx.stroke();
          open = 0;
        }
      }
      if (open) ctx.stroke();
    }
  }

  _drawDreams(ctx, { dreams }) {
    if (!dreams.length) return;
    ctx.strokeStyle = veil(this.palette.dream, 0.75);
    ctx.lineWidth = 1.3 * this.dpr;
    ctx.setLineDash([5 * this.dpr, 5 * this.dpr]);
    ctx.beginPath();
    for (const { a, b } of dreams) {
      const [cx, cy] = this.bow(a, b, 0.22);
      ctx.moveTo(this.px[a], this.py[a]);
      ctx.quadraticCurveTo(cx, cy, this.px[b], this.py[b]);
    }
    ctx.stroke();
    ctx.setLineDash([]);
  }

  /** The point that an arc between two memories bends towards; to which side is always the same. */
  bow(a, b, much) {
    const dx = this.px[b] - this.px[a], dy = this.py[b] - this.py[a], side = (a + b) % 2 ? much : -much;
    return [(this.px[a] + this.px[b]) / 2 - dy * side, (this.py[a] + this.py[b]) / 2 + dx * side];
  }

  _drawNodes(ctx, view) {
    const { px, py, sprites } = this, { width, height } = this.layer, { nodes } = view.model, turning = view.turned < 1;
    const specks = [[], [], [], []];
    for (let i = 0; i < nodes.length; i++) {
      const x = px[i], y = py[i];
      if (x < -20 || y < -20 || x > width + 20 || y > height + 20 || view.r[i] <= 0.05) continue;
      const size = this.dotSize(view.camera, view.r[i]), node = nodes[i];
      if (size < SPECK && !turning) {
        specks[view.tier[i]].push(i);
        continue;
      }
      const vivid = node.archived || node.superseded ? 0.3 : 0.5 + 0.5 * node.activation;
      if (turning && view.tierWas[i] !== view.tier[i]) {
        ctx.globalAlpha = vivid * (1 - view.turned);
        stamp(ctx, sprites.dot(TIER_NAMES[view.tierWas[i]], size), x, y);
        ctx.globalAlpha = vivid * view.turned;
      } else ctx.globalAlpha = vivid;
      stamp(ctx, sprites.dot(TIER_NAMES[view.tier[i]], size), x, y);
    }
    this._drawSpecks(ctx, view, specks);
    ctx.globalAlpha = 1;
  }

  _drawSpecks(ctx, view, specks) {
    ctx.globalAlpha = 0.75;
    specks.forEach((places, tier) => {
      ctx.fillStyle = this.palette.tiers[TIER_NAMES[tier]];
      for (const i of places) {
        const size = this.dotSize(view.camera, view.r[i]);
        ctx.fillRect(this.px[i] - 0.85 * size, this.py[i] - 0.85 * size, 1.7 * size, 1.7 * size);
      }
    });
  }

  _drawRingWords(ctx, view) {
    const { px, py, dpr } = this, s = view.camera.scale * dpr, labels = new Labels(scaled(view.camera.clear, dpr));
    const shown = view.rings.map((ring, k) => ({ ring, r: view.ringR[k] * s })).filter(({ r }) => r >= 13 * dpr)
      .sort((one, other) => other.r - one.r).slice(0, 60);
    for (const { ring, r } of shown) { // a square that leaves the corners of a ring to words
      labels.reserve({ x: px[ring.node] - 0.8 * r, y: py[ring.node] - 0.8 * r, width: 1.6 * r, height: 1.6 * r });
    }
    ctx.textBaseline = "middle";
    ctx.textAlign = "center";
    for (const { ring, r } of shown) {
      if (ring.folded && r >= 16 * dpr) this._drawFolded(ctx, ring, r);
      if (r < 22 * dpr) continue;
      const label = view.model.schemas.get(ring.id)?.label || view.model.nodes[ring.node].label;
      const text = brief(label, Math.max(16, Math.round(r / dpr / 2.6)));
      ctx.font = `${11 * dpr}px ${FONT}`;
      const width = ctx.measureText(text).width, x = px[ring.node], y = py[ring.node] + r + 10 * dpr;
      if (!labels.fits({ x: x - width / 2, y: y - 7 * dpr, width, height: 14 * dpr })) continue;
      ctx.fillStyle = veil(this.palette.quiet, 0.9);
      ctx.fillText(text, x, y);
    }
    ctx.textAlign = "left";
  }

  /** How many more are folded into a ring: on its rim, at the top. */
  _drawFolded(ctx, ring, r) {
    const text = `+${count(ring.folded)}`, x = this.px[ring.node], y = this.py[ring.node] - r;
    ctx.font = `600 ${10.5 * this.dpr}px ${FONT}`;
    ctx.textAlign = "center";
    const wide = ctx.measureText(text).width + 10 * this.dpr, high = 15 * this.dpr;
    ctx.fillStyle = this.palette.halo;
    ctx.strokeStyle = veil(this.palette.tiers[ring.tier], 0.6);
    ctx.lineWidth = this.dpr;
    ctx.beginPath();
    ctx.roundRect(x - wide / 2, y - high / 2, wide, high, high / 2);
    ctx.fill();
    ctx.stroke();
    ctx.fillStyle = this.palette.ink;
    ctx.fillText(text, x, y + 0.5 * this.dpr);
  }

  /** Writes words with an edge of ground around them. */
  write(text, place, size, colour, weight = 500) {
    const { ctx } = this;
    ctx.font = `${weight} ${size * this.dpr}px ${FONT}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    ctx.lineJoin = "round";
    ctx.lineWidth = 4 * this.dpr;
    ctx.strokeStyle = veil(this.palette.halo, 0.88);
    ctx.strokeText(text, place.x, place.y + place.height / 2);
    ctx.fillStyle = colour;
    ctx.fillText(text, place.x, place.y + place.height / 2);
  }

  measure(text, size, weight = 500) {
    this.ctx.font = `${weight} ${size * this.dpr}px ${FONT}`;
    return this.ctx.measureText(text).width;
  }
}
