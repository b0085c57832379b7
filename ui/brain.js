// The living picture: holds the model, its layout, the camera and what is lit, and draws while anything moves.
//
// 1. Where a memory is drawn glides towards where it belongs: so a new layout, a fold into a ring and a shrinking
//    memory are all movement, and nothing jumps. With reduced motion it is there at once, once the layout rests.
// 2. The layout gets what painting leaves of a frame; a tick may take several frames.
// 3. Nothing is drawn while nothing moves.

import { burning, nextChange, plan, restless, shine } from "./activation.js";
import { Camera, boxOf, clamp } from "./camera.js";
import { Layout } from "./layout.js";
import { Model, TIERS } from "./model.js";
import { Night, pulse } from "./night.js";
import { Painter } from "./paint.js";
import { neighbour, pick } from "./pick.js";
import { arrangement, nodeRadius } from "./rings.js";

const FRAME_MS = 14, LAYOUT_MS_MIN = 2, SLICE_BODIES = 128, FRAMES_KEPT = 600, EDGES_MAX = 4000, REPLAY_MAX = 48, DREAMS_MAX = 100;
const GLIDE_MS = 130, FOLD_MS = 520, AT_REST = 0.04, HOME_AFTER_MS = 9000;
const SCALE_HOME_MAX = 2.3, SCALE_RECALL_MAX = 2.4;

export class Brain {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.model = new Model();
    this.layout = new Layout();
    this.camera = new Camera();
    this.night = new Night();
    this.painter = new Painter(canvas);
    this.still = false;
    this.selected = this.hovered = this.focused = null;
    this.lastPass = 0;
    /** Called with "fold", "condense" or "end" when a stage of sleep begins. @type {(stage: string) => void} */
    this.onStage = () => {};
    /** Called in every frame; whether it needs another one. @type {(now: number) => boolean} */
    this.onFrame = () => false;
    this._glows = [];
    this._replayed = [];
    this._frames = [];
    this._drawn = new Map();
    this._x = this._y = this._r = new Float32Array(0);
    this._turn = { start: -1e9, ms: 1 };
    this._touched = -1e9;
    this._wandered = false;
    this._pending = 0;
    this._last = 0;
    this._painting = 8;
    this._dirty = true;
    this._opened = false;
    this.take(arrangement(this.model), 0);
  }

  /** @param {boolean} still reduced motion */
  setStill(still) {
    this.still = this.camera.still = this.night.still = still;
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.camera.resize(width, height);
    this.painter.resize(width, height, Math.min(2, globalThis.devicePixelRatio || 1));
    this._dirty = true;
    this.wake();
  }

  theme(name) {
    this.painter.theme(name);
    this._dirty = true;
    this.wake();
  }

  // What is known

  /** Lays the picture out anew after the model has changed. @param {number} heat how much is stirred up, 0..1 */
  rebuild(heat) {
    this.take(arrangement(this.model), heat);
    this.wake();
  }

  /** @param {import("./rings.js").Arrangement} made @param {number} heat */
  take(made, heat) {
    const n = this.model.nodes.length, old = { x: this._x, y: this._y, r: this._r, drawn: this._drawn, tier: this._tier };
    this._made = made;
    this.layout.arrange(made.bodies, made.links, heat);
    for (const name of ["_x", "_y", "_r"]) this[name] = new Float32Array(n);
    this._tier = new Uint8Array(n);
    this._tierWas = new Uint8Array(n);
    this._drawn = new Map();
    this.model.nodes.forEach((node, i) => {
      const was = old.drawn.get(node.id), body = made.bodyOf[i];
      this._drawn.set(node.id, i);
      this._tier[i] = TIERS.indexOf(node.tier);
      this._tierWas[i] = was === undefined ? this._tier[i] : old.tier[was];
      this._x[i] = was === undefined ? this.layout.x[body] + made.offsetX[i] : old.x[was];
      this._y[i] = was === undefined ? this.layout.y[body] + made.offsetY[i] : old.y[was];
      this._r[i] = was === undefined ? 0 : old.r[was];
    });
    const rings = new Map(this._rings?.map((ring, k) => [ring.id, this._ringR[k]]));
    this._rings = made.rings;
    this._ringR = Float32Array.from(made.rings, (ring) => rings.get(ring.id) ?? 0);
    this._sortLines();
    this._dirty = true;
  }

  /** The strongest associations between bodies are drawn; the others show when one of their ends is selected. */
  _sortLines() {
    const { bodyOf } = this._made;
    const crossing = this.model.edges.filter(({ a, b, kind }) => kind === "learned" && bodyOf[a] !== bodyOf[b]);
    crossing.sort((one, other) => other.weight - one.weight);
    const few = crossing.slice(0, EDGES_MAX);
    this._lines = { a: Int32Array.from(few, (edge) => edge.a), b: Int32Array.from(few, (edge) => edge.b),
      bucket: Uint8Array.from(few, (edge) => (edge.weight > 0.5 ? 2 : edge.weight > 0.15 ? 1 : 0)), count: few.length };
    this._dreams = this.model.edges.filter((edge) => edge.kind === "dream").slice(0, DREAMS_MAX);
  }

  /** Memories turn from the tier they were drawn in to the one they have. */
  turn(ms) {
    this._turn = { start: performance.now(), ms: this.still ? 1 : ms };
    this._dirty = true;
    this.wake();
  }

  // What happens

  /**
   * Lights a recall, and goes to where it is.
   * @param {import("./activation.js").Hit[]} hits
   */
  light(hits) {
    const now = performance.now();
    this._glows = burning(this._glows, now).slice(-3);
    this.dim();
    this._glows.push(plan(hits, now + (this.still ? 0 : 250), this.still));
    const ids = new Set(hits.flatMap(({ id, path }) => [id, ...(path ?? [])]));
    this.look([...ids]);
    this._wandered = true;
  }

  /** Lets what is lit fade soon: something else is looked at. */
  dim() {
    const now = performance.now();
    for (const glow of this._glows) glow.dark = Math.min(glow.dark, now + 700);
    this.wake();
  }

  /** Glides to memories. @param {string[]} ids */
  look(ids) {
    const box = boxOf(ids.flatMap((id) => {
      const i = this._drawn.get(id);
      if (i === undefined) return [];
      const [x, y] = this._home(i);
      return [[x, y, 16]];
    }));
    if (box) this.camera.glide(this.camera.framing(box, this._homeScale(), SCALE_RECALL_MAX, 80), performance.now());
    this._touched = performance.now();
    this.wake();
  }

  _homeScale() {
    return Math.min(this._framed().scale, SCALE_RECALL_MAX);
  }

  _framed() {
    const { layout } = this;
    const points = Array.from({ length: layout.count }, (_, i) => [layout.x[i], layout.y[i], layout.radius[i] + 6]);
    return this.camera.framing(boxOf(points) ?? { left: -1, top: -1, right: 1, bottom: 1 }, 0.03, SCALE_HOME_MAX);
  }

  /** Shows everything. */
  home(ms = 950) {
    this._wandered = false;
    this.camera.glide(this._framed(), performance.now(), ms);
    this.wake();
  }

  /** Shows everything again after the picture has grown or shrunk, unless somebody looks at something. */
  reframe() {
    if (!this._byHand && !this._wandered && !this.selected) this.home(1400);
  }

  /** Somebody moves the camera: it stays where it is put. */
  touch() {
    this._touched = performance.now();
    this._wandered = false;
    this._byHand = true;
    this.wake();
  }

  /** @param {string} name of an event of sleep */
  hear(name) {
    const begun = this.night.hear(name, performance.now());
    if (begun) {
      this._replayed = this.model.recent(this.lastPass, REPLAY_MAX);
      this.dim();
      this._wandered = false;
      this.reframe();
    }
    this.wake();
    return begun;
  }

  // Drawing

  wake() {
    if (!this._pending) this._pending = requestAnimationFrame((now) => this._frame(now));
  }

  /** Nothing moves until a moment: until then nothing is drawn. */
  _sleepUntil(moment, now) {
    clearTimeout(this._alarm);
    if (moment < Infinity) this._alarm = setTimeout(() => this.wake(), Math.max(0, moment - now) + 20);
  }

  _frame(stamp) {
    this._pending = 0;
    const began = performance.now(), now = Math.max(stamp, this._last), passed = Math.min(100, now - this._last);
    this._last = now;
    const stage = this.night.at(now);
    if (stage) this.onStage(stage);
    const working = this._layOut(began);
    if (working && this.layout.resting && this._opened) this.reframe();
    const moved = this._glide(passed);
    if (!this._opened && this.model.nodes.length) this._open();
    this.camera.at(now);
    const turned = clamp((now - this._turn.start) / this._turn.ms, 0, 1);
    const drawing = performance.now();
    this._draw(now, moved || this._cameraMoved() || turned < 1 || this._dirty || this._turning, turned);
    this._painting = 0.8 * this._painting + 0.2 * (performance.now() - drawing);
    this._turning = turned < 1;
    const running = this.onFrame(now);
    this._frames.push(performance.now() - began);
    if (this._frames.length > FRAMES_KEPT) this._frames.shift();
    this._goHome(now);
    const moving = working || moved || this.camera.moving || turned < 1 || restless(this._glows, now)
      || this.night.stage || running;
    if (moving) this.wake();
    else this._sleepUntil(Math.min(nextChange(this._glows), this._wandered ? this._touched + HOME_AFTER_MS : Infinity), now);
  }

  _cameraMoved() {
    const { x, y, scale, shiftX, shiftY } = this.camera, seen = `${x} ${y} ${scale} ${shiftX} ${shiftY}`;
    const moved = seen !== this._seen;
    this._seen = seen;
    return moved;
  }

  /** While the picture unfolds for the first time, the camera keeps all of it in view. */
  _open() {
    if (this.layout.resting) this._opened = true;
    if (this._byHand) return;
    this.camera.stand(this._framed());
    this._dirty = true;
  }

  _goHome(now) {
    if (this.selected) this._wandered = false;
    if (!this._wandered || this._shine.active || now - this._touched < HOME_AFTER_MS) return;
    this.home();
  }

  _layOut(began) {
    const { layout } = this;
    if (layout.resting) return false;
    const budget = Math.max(LAYOUT_MS_MIN, FRAME_MS - this._painting);
    while (!layout.resting && performance.now() - began < budget) layout.advance(SLICE_BODIES);
    return true;
  }

  /** Where a memory belongs. */
  _home(i) {
    const body = this._made.bodyOf[i];
    return [this.layout.x[body] + this._made.offsetX[i], this.layout.y[body] + this._made.offsetY[i]];
  }

  _glide(passed) {
    if (this.still && !this.layout.resting) return false;
    const slow = this.night.stage === "fold" || this.night.stage === "condense";
    const part = this.still ? 1 : 1 - Math.exp(-passed / (slow ? FOLD_MS : GLIDE_MS));
    const { bodyOf, offsetX, offsetY } = this._made, { nodes } = this.model, { layout, _x: x, _y: y, _r: r } = this;
    let most = 0;
    for (let i = 0; i < nodes.length; i++) {
      const body = bodyOf[i], dx = layout.x[body] + offsetX[i] - x[i], dy = layout.y[body] + offsetY[i] - y[i];
      const dr = nodeRadius(nodes[i].tier, nodes[i].salience) - r[i];
      x[i] += dx * part;
      y[i] += dy * part;
      r[i] += dr * part;
      most = Math.max(most, Math.abs(dx), Math.abs(dy), Math.abs(dr));
    }
    this._rings.forEach((ring, k) => {
      const dr = ring.radius - this._ringR[k];
      this._ringR[k] += dr * part;
      most = Math.max(most, Math.abs(dr));
    });
    return most * this.camera.scale > AT_REST;
  }

  _draw(now, dirty, turned) {
    this._glows = burning(this._glows, now);
    this._shine = shine(this._glows, now);
    const place = (id) => (id === null ? -1 : this._drawn.get(id) ?? -1);
    this.painter.draw({
      model: this.model, camera: this.camera, x: this._x, y: this._y, r: this._r, tier: this._tier,
      tierWas: this._tierWas, turned, rings: this._rings, ringR: this._ringR, lines: this._lines, dreams: this._dreams,
      shine: this._shine, pulses: this._pulses(now), selected: place(this.selected), hovered: place(this.hovered),
      focused: place(this.focused), dirty });
    this._dirty = false;
    if (turned >= 1) this._tierWas.set(this._tier);
  }

  _pulses(now) {
    const pulses = new Map();
    if (this.still) return pulses;
    const progress = this.night.progress(now);
    if (this.night.stage === "replay") {
      this._replayed.forEach((id, k) => {
        const level = pulse(k, this._replayed.length, progress), place = this._drawn.get(id);
        if (level > 0 && place !== undefined) pulses.set(place, level);
      });
    } else if (this.night.stage === "fold") {
      const level = 0.5 * Math.sin(Math.PI * progress);
      for (const ring of this._rings) pulses.set(ring.node, level);
    }
    return pulses;
  }

  // Being asked

  /** The id of the memory at a point of the canvas, or null. */
  at(sx, sy, reach) {
    const [x, y] = this.camera.toPicture(sx, sy);
    const found = pick(this._x, this._y, this._r, this.model.nodes.length, x, y, reach / this.camera.scale);
    return found < 0 ? null : this.model.nodes[found].id;
  }

  /** The id of the memory to go to from the focused one, or null. @param {[number, number]} direction */
  beside(direction) {
    const from = this._drawn.get(this.focused ?? this.selected ?? "");
    if (from === undefined) return this.at(this.camera.width / 2, this.camera.height / 2, 1e6);
    const tied = new Set(this.model.near(from).map(({ a, b }) => a + b - from));
    const found = neighbour(this._x, this._y, this.model.nodes.length, from, direction, tied);
    return found < 0 ? null : this.model.nodes[found].id;
  }

  /** Where a memory is on the canvas, or null. @returns {[number, number] | null} */
  where(id) {
    const i = this._drawn.get(id);
    return i === undefined ? null : this.camera.toScreen(this._x[i], this._y[i]);
  }

  /** The ids of all that is lit or pulses. */
  lit() {
    const now = performance.now(), pulsing = [...this._pulses(now).keys()].map((place) => this.model.nodes[place].id);
    return [...new Set([...shine(this._glows, now).lights.keys(), ...pulsing])];
  }

  frames() {
    return [...this._frames];
  }

  /** Runs the layout to rest and stands still there. */
  settle() {
    this.layout.settle();
    const still = this.still;
    this.still = true;
    this._glide(0);
    this.still = still;
    this.camera.stand(this._framed());
    this._opened = true;
    this._dirty = true;
    this._draw(performance.now(), true, 1);
    this.wake();
  }
}

