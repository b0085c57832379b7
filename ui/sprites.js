// Small pictures of memories, drawn once per tier and size: copying one is many times cheaper than drawing a glow.

import { veil } from "./palette.js";

const STEPS_PER_PIXEL = 2, RADIUS_MAX = 40;

export class Sprites {
  /** @param {import("./palette.js").Palette} palette */
  constructor(palette) {
    this._palette = palette;
    this._made = new Map();
  }

  /**
   * A memory: a disc in its tier's colour with a glow.
   * @param {string} tier
   * @param {number} radius device pixels
   * @returns {HTMLCanvasElement} its middle is the memory's
   */
  dot(tier, radius) {
    return this._get(tier, radius, (ctx, r, half) => {
      const colour = this._palette.tiers[tier];
      glow(ctx, half, half, r * 0.8, half, colour, 0.34 * this._palette.glow);
      disc(ctx, half, r, colour);
    }, radius < 1.4 ? 1.8 : 2.5);
  }

  /** A memory that is lit: a wide glow, a bright core. */
  light(tier, radius) {
    return this._get(`${tier} light`, radius, (ctx, r, half) => {
      const { tiers, core, glow: strength } = this._palette;
      glow(ctx, half, half, r * 0.7, half, tiers[tier], 0.3 + 0.35 * strength);
      disc(ctx, half, r, tiers[tier]);
      disc(ctx, half, r * 0.62, core);
    }, 5);
  }

  /** The head of a trail. */
  spark(radius) {
    return this._get("spark", radius, (ctx, r, half) => {
      glow(ctx, half, half, 0, half, this._palette.trail, 0.8);
      disc(ctx, half, r * 0.7, this._palette.trail);
    }, 3);
  }

  /** Glow alone, for pulses. */
  halo(tier, radius) {
    return this._get(`${tier} halo`, radius, (ctx, r, half) => {
      glow(ctx, half, half, 0, half, this._palette.tiers[tier], 0.75);
    }, 1);
  }

  _get(name, radius, draw, width) {
    const step = Math.max(1, Math.round(Math.min(radius, RADIUS_MAX) * STEPS_PER_PIXEL));
    const key = `${name} ${step}`;
    let made = this._made.get(key);
    if (!made) {
      const r = step / STEPS_PER_PIXEL, half = Math.ceil(r * width) + 1;
      made = document.createElement("canvas");
      made.width = made.height = 2 * half;
      draw(made.getContext("2d"), r, half);
      this._made.set(key, made);
    }
    return made;
  }
}

function disc(ctx, half, r, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(half, half, r, 0, 2 * Math.PI);
  ctx.fill();
}

function glow(ctx, x, y, inner, outer, colour, alpha) {
  const gradient = ctx.createRadialGradient(x, y, inner, x, y, outer);
  gradient.addColorStop(0, veil(colour, alpha));
  gradient.addColorStop(0.4, veil(colour, alpha * 0.36));
  gradient.addColorStop(1, veil(colour, 0));
  ctx.fillStyle = gradient;
  ctx.fillRect(0, 0, 2 * outer, 2 * outer);
}

/** Copies a sprite with its middle at a point. */
export function stamp(ctx, sprite, x, y) {
  ctx.drawImage(sprite, x - sprite.width / 2, y - sprite.height / 2);
}
