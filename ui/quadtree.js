// A quadtree over points, flat in typed arrays: what is far away acts as one body (Barnes and Hut 1986).
//
// 1. A child is 0 (none), a cell (> 0), or a body (-1 - body). The root is cell 0, so no child is ever it.
// 2. Children are made after their parents: sums run over the cells backwards.
// 3. Bodies in one place, or deeper than DEPTH_MAX, share a leaf as a chain.

const DEPTH_MAX = 22;

export class Quadtree {
  /** @param {number} [bodies] how many there will be; it grows when there are more */
  constructor(bodies = 64) {
    this.fx = 0; // what `repel` found
    this.fy = 0;
    this.cells = 0;
    this._stack = new Int32Array(4 * (DEPTH_MAX + 4));
    this._grow(bodies);
  }

  _grow(bodies) {
    const cells = Math.max(64, bodies * 2);
    const wider = (old, kind, size) => {
      const made = new kind(size);
      if (old) made.set(old.subarray(0, Math.min(old.length, size)));
      return made;
    };
    this.child = wider(this.child, Int32Array, cells * 4);
    for (const name of ["left", "top", "width", "massX", "massY", "mass"]) {
      this[name] = wider(this[name], Float64Array, cells);
    }
    if (!this.next || this.next.length < bodies) this.next = new Int32Array(bodies);
  }

  /**
   * @param {ArrayLike<number>} x
   * @param {ArrayLike<number>} y
   * @param {ArrayLike<number>} mass
   * @param {number} count
   */
  build(x, y, mass, count) {
    if (this.next.length < count) this._grow(count);
    this.x = x;
    this.y = y;
    this.bodyMass = mass;
    this.next.fill(-1, 0, count);
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (let i = 0; i < count; i++) {
      left = Math.min(left, x[i]);
      right = Math.max(right, x[i]);
      top = Math.min(top, y[i]);
      bottom = Math.max(bottom, y[i]);
    }
    this.cells = 0;
    const side = count ? Math.max(right - left, bottom - top, 1e-6) * 1.0001 : 1;
    this._cell(count ? left : 0, count ? top : 0, side);
    for (let i = 0; i < count; i++) this._insert(i);
    this._sum();
  }

  _cell(left, top, width) {
    const cell = this.cells++;
    if (cell >= this.width.length) this._grow(cell);
    this.left[cell] = left;
    this.top[cell] = top;
    this.width[cell] = width;
    this.child.fill(0, 4 * cell, 4 * cell + 4);
    return cell;
  }

  _insert(body) {
    const { x, y } = this;
    let cell = 0;
    for (let depth = 0; ; depth++) {
      const half = this.width[cell] / 2;
      const east = x[body] >= this.left[cell] + half ? 1 : 0;
      const south = y[body] >= this.top[cell] + half ? 1 : 0;
      const slot = 4 * cell + 2 * south + east;
      const there = this.child[slot];
      if (there === 0) {
        this.child[slot] = -1 - body;
        return;
      }
      if (there > 0) {
        cell = there;
        continue;
      }
      const other = -1 - there;
      if (depth >= DEPTH_MAX || (x[other] === x[body] && y[other] === y[body])) {
        this.next[body] = this.next[other];
        this.next[other] = body;
        return;
      }
      const made = this._cell(this.left[cell] + east * half, this.top[cell] + south * half, half);
      this.child[slot] = made;
      const otherEast = x[other] >= this.left[made] + half / 2 ? 1 : 0;
      const otherSouth = y[other] >= this.top[made] + half / 2 ? 1 : 0;
      this.child[4 * made + 2 * otherSouth + otherEast] = there;
      cell = made;
    }
  }

  _sum() {
    const { child, mass, massX, massY, x, y, bodyMass } = this;
    for (let cell = this.cells - 1; cell >= 0; cell--) {
      let m = 0, mx = 0, my = 0;
      for (let k = 4 * cell; k < 4 * cell + 4; k++) {
        const there = child[k];
        if (there > 0) {
          m += mass[there];
          mx += massX[there] * mass[there];
          my += massY[there] * mass[there];
        } else if (there < 0) {
          for (let body = -1 - there; body >= 0; body = this.next[body]) {
            m += bodyMass[body];
            mx += x[body] * bodyMass[body];
            my += y[body] * bodyMass[body];
          }
        }
      }
      mass[cell] = m;
      massX[cell] = m ? mx / m : 0;
      massY[cell] = m ? my / m : 0;
    }
  }

  /**
   * How all other bodies push a body away, with mass over distance each; the sum is left in `fx` and `fy`.
   * @param {number} body
   * @param {number} theta a cell that looks smaller than this, width over distance, is one body
   * @param {number} reach bodies farther away do not count
   */
  repel(body, theta, reach) {
    const { child, left, top, width, mass, massX, massY, x, y, bodyMass, next, _stack: stack } = this;
    const px = x[body], py = y[body], theta2 = theta * theta, reach2 = reach * reach;
    let fx = 0, fy = 0, depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const cell = stack[--depth], w = width[cell];
      const dx = px - massX[cell], dy = py - massY[cell], d2 = dx * dx + dy * dy;
      const inside = px >= left[cell] && px < left[cell] + w && py >= top[cell] && py < top[cell] + w;
      if (!inside && w * w < theta2 * d2) {
        if (d2 < reach2) {
          fx += (dx * mass[cell]) / d2;
          fy += (dy * mass[cell]) / d2;
        }
        continue;
      }
      for (let k = 4 * cell; k < 4 * cell + 4; k++) {
        const there = child[k];
        if (there > 0) stack[depth++] = there;
        else if (there < 0) {
          for (let other = -1 - there; other >= 0; other = next[other]) {
            if (other === body) continue;
            let ox = px - x[other], oy = py - y[other], o2 = ox * ox + oy * oy;
            if (o2 === 0) { // in one place: each knows a side to leave to
              ox = (body - other) * 1e-3;
              oy = body < other ? 1e-3 : -1e-3;
              o2 = ox * ox + oy * oy;
            }
            if (o2 >= reach2) continue;
            if (o2 < 1) o2 = Math.sqrt(o2);
            fx += (ox * bodyMass[other]) / o2;
            fy += (oy * bodyMass[other]) / o2;
          }
        }
      }
    }
    this.fx = fx;
    this.fy = fy;
  }

  /**
   * Visits the bodies of a disc, in no promised order.
   * @param {number} cx
   * @param {number} cy
   * @param {number} radius
   * @param {(body: number, d2: number) => void} visit
   */
  within(cx, cy, radius, visit) {
    const { child, left, top, width, x, y, next, _stack: stack } = this;
    const r2 = radius * radius;
    let depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const cell = stack[--depth], w = width[cell];
      const ox = cx - Math.max(left[cell], Math.min(cx, left[cell] + w));
      const oy = cy - Math.max(top[cell], Math.min(cy, top[cell] + w));
      if (ox * ox + oy * oy > r2) continue;
      for (let k = 4 * cell; k < 4 * cell + 4; k++) {
        const there = child[k];
        if (there > 0) stack[depth++] = there;
        else if (there < 0) {
          for (let body = -1 - there; body >= 0; body = next[body]) {
            const dx = x[body] - cx, dy = y[body] - cy, d2 = dx * dx + dy * dy;
            if (d2 <= r2) visit(body, d2);
          }
        }
      }
    }
  }

  /**
   * The nearest body of a disc, or -1.
   * @param {number} cx
   * @param {number} cy
   * @param {number} radius
   */
  nearest(cx, cy, radius) {
    let best = -1, least = Infinity;
    this.within(cx, cy, radius, (body, d2) => {
      if (d2 < least || (d2 === least && body < best)) {
        least = d2;
        best = body;
      }
    });
    return best;
  }
}
