// Where bodies come to lie: a force layout that is the same for the same memories, and can be run in slices.
//
// 1. Bodies push each other away (Barnes-Hut), associations pull, everything is drawn to the middle; bodies with a
//    radius, which are rings, let nobody in.
// 2. A tick is worked off in slices of bodies (`advance`); only a whole tick moves anything.
// 3. It cools down (`heat`) and rests below HEAT_REST; a change warms it again, a small one only a little.
// 4. Chance comes from ids, time from nowhere: two runs give the same numbers.

import { Quadtree } from "./quadtree.js";
import { chance, sunflower } from "./seed.js";

const HEAT_REST = 0.004, COOLING = 0.036, FRICTION = 0.58;
const PUSH = 24, THETA = 0.95, REACH = 900, PULL_X = 0.04, PULL_Y = 0.075;
const LINK_LENGTH = 36, CLEARANCE = 8, RINGS_APART = 24;
const SETTLE_TICKS_MAX = 400;

/**
 * @typedef {{id: string, radius: number, ring: boolean, near: number}} Body
 *   near: the body beside which a new one begins, or -1
 * @typedef {{a: number, b: number, weight: number}} Link positions in bodies
 */

export class Layout {
  constructor() {
    this.heat = 0;
    this.count = 0;
    this.ticks = 0;
    this.x = this.y = this.radius = new Float64Array(0);
    /** @type {Map<string, number>} */
    this._places = new Map();
    this._tree = new Quadtree();
    this._cursor = 0;
  }

  /** Whether nothing moves any more. */
  get resting() {
    return this.heat < HEAT_REST;
  }

  /**
   * Takes bodies and links; those that it knows stay where they are.
   * @param {Body[]} bodies
   * @param {Link[]} links
   * @param {number} [heat] how much is stirred up, 0..1
   */
  arrange(bodies, links, heat = 1) {
    const before = { places: this._places, x: this.x, y: this.y };
    const n = (this.count = bodies.length);
    for (const name of ["x", "y", "vx", "vy", "radius", "mass"]) this[name] = new Float64Array(n);
    this._rings = bodies.flatMap((body, i) => (body.ring ? [i] : []));
    this._places = new Map(bodies.map((body, i) => [body.id, i]));
    const fresh = [];
    bodies.forEach((body, i) => {
      this.radius[i] = body.radius;
      this.mass[i] = body.ring ? 1 + (body.radius / 11) ** 2 : 1;
      const known = before.places.get(body.id);
      if (known === undefined) fresh.push(i);
      else [this.x[i], this.y[i]] = [before.x[known], before.y[known]];
    });
    const unplaced = new Set(fresh), first = fresh.length === n ? 0 : n;
    fresh.forEach((i, k) => {
      this._begin(bodies[i], i, first + k, unplaced);
      unplaced.delete(i);
    });
    this._tie(links);
    this._cursor = 0;
    this.heat = Math.max(this.heat, fresh.length === n ? 1 : heat);
  }

  /** A first body begins in a sunflower, a later one beside what it is associated with. */
  _begin(body, i, k, unplaced) {
    const turn = chance(body.id) * 2 * Math.PI;
    if (k >= this.count && body.near >= 0 && !unplaced.has(body.near)) {
      const away = this.radius[body.near] + LINK_LENGTH * 0.7;
      this.x[i] = this.x[body.near] + away * Math.cos(turn);
      this.y[i] = this.y[body.near] + away * Math.sin(turn);
      return;
    }
    const [x, y] = sunflower(k, 24);
    this.x[i] = x * 1.15 + 6 * Math.cos(turn);
    this.y[i] = y * 0.9 + 6 * Math.sin(turn);
  }

  _tie(links) {
    const degree = new Uint32Array(this.count);
    for (const { a, b } of links) {
      degree[a]++;
      degree[b]++;
    }
    const m = links.length;
    this._a = new Int32Array(m);
    this._b = new Int32Array(m);
    this._length = new Float64Array(m);
    this._strength = new Float64Array(m);
    this._bias = new Float64Array(m);
    links.forEach(({ a, b, weight }, k) => {
      const w = Math.min(1, weight);
      this._a[k] = a;
      this._b[k] = b;
      this._length[k] = this.radius[a] + this.radius[b] + LINK_LENGTH * (1.5 - w);
      this._strength[k] = (0.25 + 0.75 * w) / Math.min(degree[a], degree[b]);
      this._bias[k] = degree[a] / (degree[a] + degree[b]);
    });
  }

  /**
   * Works on the tick, for so many bodies at most.
   * @param {number} bodies
   * @returns {boolean} whether the tick is over, and things have moved
   */
  advance(bodies) {
    if (this.resting) return true;
    if (this._cursor === 0) this._tree.build(this.x, this.y, this.mass, this.count);
    const end = Math.min(this.count, this._cursor + bodies), push = PUSH * this.heat;
    for (let i = this._cursor; i < end; i++) {
      this._tree.repel(i, THETA, REACH);
      this.vx[i] += (this._tree.fx * push) / this.mass[i] ** 0.5 - this.x[i] * PULL_X * this.heat;
      this.vy[i] += (this._tree.fy * push) / this.mass[i] ** 0.5 - this.y[i] * PULL_Y * this.heat;
    }
    this._cursor = end;
    if (end < this.count) return false;
    this._pull();
    this._move();
    this._part();
    this.heat += (0 - this.heat) * COOLING;
    this._cursor = 0;
    this.ticks++;
    return true;
  }

  /** One whole tick. */
  tick() {
    while (!this.advance(this.count || 1));
  }

  /** Runs it to rest. */
  settle() {
    for (let k = 0; k < SETTLE_TICKS_MAX && !this.resting; k++) this.tick();
    this.heat = 0;
  }

  _pull() {
    const { x, y, vx, vy } = this;
    for (let k = 0; k < this._a.length; k++) {
      const a = this._a[k], b = this._b[k];
      const dx = x[b] + vx[b] - x[a] - vx[a] || 1e-6, dy = y[b] + vy[b] - y[a] - vy[a];
      const distance = Math.sqrt(dx * dx + dy * dy);
      const pull = ((distance - this._length[k]) / distance) * this.heat * this._strength[k];
      vx[b] -= dx * pull * this._bias[k];
      vy[b] -= dy * pull * this._bias[k];
      vx[a] += dx * pull * (1 - this._bias[k]);
      vy[a] += dy * pull * (1 - this._bias[k]);
    }
  }

  _move() {
    const { x, y, vx, vy } = this;
    for (let i = 0; i < this.count; i++) {
      x[i] += vx[i] *= FRICTION;
      y[i] += vy[i] *= FRICTION;
    }
  }

  _part() {
    const { x, y, radius, _rings: rings } = this;
    if (!rings.length) return;
    for (let k = 0; k < rings.length; k++) {
      for (let l = k + 1; l < rings.length; l++) this._separate(rings[k], rings[l], 0.5, RINGS_APART);
    }
    this._tree.build(x, y, this.mass, this.count);
    const ringed = this._ringed ?? (this._ringed = new Set());
    ringed.clear();
    for (const ring of rings) ringed.add(ring);
    for (const ring of rings) {
      const reach = radius[ring] + CLEARANCE + 8; // 8: the largest memory
      this._tree.within(x[ring], y[ring], reach, (other) => {
        if (!ringed.has(other)) this._separate(ring, other, 0.04, CLEARANCE);
      });
    }
  }

  /** Moves two bodies apart until a gap is between them; `share` of the way is made by the first. */
  _separate(a, b, share, gap) {
    const { x, y, radius } = this;
    const dx = x[b] - x[a] || 1e-6, dy = y[b] - y[a];
    const distance = Math.sqrt(dx * dx + dy * dy), wanted = radius[a] + radius[b] + gap;
    if (distance >= wanted) return;
    const step = (wanted - distance) / distance;
    x[a] -= dx * step * share;
    y[a] -= dy * step * share;
    x[b] += dx * step * (1 - share);
    y[b] += dy * step * (1 - share);
  }
}
