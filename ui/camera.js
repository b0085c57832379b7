// What part of the picture is seen: pan, zoom and glide, in a window of which some edges are covered.
//
// 1. The point (x, y) of the picture is in the middle of what is free of furniture (`insets`, pixels from each side).
// 2. A glide takes its time from its length, in zoom steps and in screens; times are arguments.

const SCALE_MIN = 0.03, SCALE_MAX = 6, GLIDE_MS = 950;

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

export class Camera {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.width = 1;
    this.height = 1;
    this.shiftX = 0; // from the window's middle to the free part's
    this.shiftY = 0;
    this.still = false;
    /** @type {Box} */
    this.insets = { left: 0, top: 0, right: 0, bottom: 0 };
    this._glide = null;
  }

  /** Whether a glide is under way. */
  get moving() {
    return this._glide !== null;
  }

  /** The free part of the window. @returns {Box} */
  get clear() {
    const { left, top, right, bottom } = this.insets;
    return { left, top, right: Math.max(left + 1, this.width - right), bottom: Math.max(top + 1, this.height - bottom) };
  }

  _centre() {
    const clear = this.clear;
    return [(clear.left + clear.right - this.width) / 2, (clear.top + clear.bottom - this.height) / 2];
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.width = width;
    this.height = height;
    [this.shiftX, this.shiftY] = this._centre();
  }

  /**
   * Furniture has moved: what was in the middle glides to the middle of what is left.
   * @param {Box} insets
   * @param {number} now
   */
  keepClear(insets, now) {
    const same = Object.keys(insets).every((side) => Math.abs(insets[side] - this.insets[side]) < 1);
    if (same) return;
    this.insets = insets;
    this.glide(this._glide?.to ?? this, now, 350);
  }

  toScreen(x, y) {
    return [this.width / 2 + this.shiftX + (x - this.x) * this.scale,
      this.height / 2 + this.shiftY + (y - this.y) * this.scale];
  }

  toPicture(sx, sy) {
    return [this.x + (sx - this.width / 2 - this.shiftX) / this.scale,
      this.y + (sy - this.height / 2 - this.shiftY) / this.scale];
  }

  pan(dx, dy) {
    this.stop();
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
  }

  /** Zooms around a point of the window. */
  zoom(factor, sx, sy) {
    this.stop();
    const [x, y] = this.toPicture(sx, sy);
    this.scale = clamp(this.scale * factor, SCALE_MIN, SCALE_MAX);
    const [nx, ny] = this.toPicture(sx, sy);
    this.x += x - nx;
    this.y += y - ny;
  }

  stop() {
    this._glide = null;
  }

  /** Stands somewhere at once. @param {{x: number, y: number, scale: number}} at */
  stand({ x, y, scale }) {
    this.stop();
    Object.assign(this, { x, y, scale });
    [this.shiftX, this.shiftY] = this._centre();
  }

  /**
   * Where the camera stands when a box fills the free part.
   * @param {Box} box in the picture
   * @param {number} [least] bounds of the scale
   * @param {number} [most]
   * @param {number} [margin] pixels around it
   */
  framing(box, least = SCALE_MIN, most = SCALE_MAX, margin = 36) {
    const clear = this.clear;
    const free = (from, to) => Math.max(40, to - from - 2 * margin);
    const scale = Math.min(free(clear.left, clear.right) / Math.max(1, box.right - box.left),
      free(clear.top, clear.bottom) / Math.max(1, box.bottom - box.top));
    return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2,
      scale: clamp(clamp(scale, least, most), SCALE_MIN, SCALE_MAX) };
  }

  /**
   * @param {{x: number, y: number, scale: number}} to
   * @param {number} now
   * @param {number} [ms]
   */
  glide(to, now, ms = GLIDE_MS) {
    const [shiftX, shiftY] = this._centre();
    const { x, y, scale } = to;
    const from = { x: this.x, y: this.y, scale: this.scale, shiftX: this.shiftX, shiftY: this.shiftY };
    this._glide = { from, to: { x, y, scale, shiftX, shiftY }, start: now, ms };
    if (this.still) this._stand(1);
  }

  /** Moves it to where it is at a moment. @returns {boolean} whether it goes on */
  at(now) {
    if (this._glide) this._stand(clamp((now - this._glide.start) / this._glide.ms, 0, 1));
    return this.moving;
  }

  _stand(part) {
    const { from, to } = this._glide, eased = ease(part), mix = (a, b) => a + (b - a) * eased;
    this.scale = Math.exp(mix(Math.log(from.scale), Math.log(to.scale)));
    // The path is straight in the picture; it is walked so that the zoom's centre does not swing.
    const ratio = to.scale / from.scale, walked = Math.abs(ratio - 1) < 1e-3 ? eased
      : (1 - from.scale / this.scale) / (1 - 1 / ratio);
    this.x = from.x + (to.x - from.x) * walked;
    this.y = from.y + (to.y - from.y) * walked;
    this.shiftX = mix(from.shiftX, to.shiftX);
    this.shiftY = mix(from.shiftY, to.shiftY);
    if (part >= 1) this._glide = null;
  }
}

/** Slow, quick, slow. */
export function ease(part) {
  return part < 0.5 ? 4 * part ** 3 : 1 - (-2 * part + 2) ** 3 / 2;
}

export function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}

/**
 * The box around points.
 * @param {Iterable<[number, number, number]>} points x, y, radius
 * @returns {Box | null}
 */
export function boxOf(points) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y, r] of points) {
    box.left = Math.min(box.left, x - r);
    box.right = Math.max(box.right, x + r);
    box.top = Math.min(box.top, y - r);
    box.bottom = Math.max(box.bottom, y + r);
  }
  return box.left <= box.right ? box : null;
}
