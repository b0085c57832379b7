// Which memory is meant: by a point, or by a direction from another one.

/**
 * The memory nearest to a point, or -1. A finger is less exact than a mouse: `reach` says how far off it may be.
 * @param {Float32Array} x
 * @param {Float32Array} y
 * @param {Float32Array} r
 * @param {number} count
 * @param {number} px in the picture
 * @param {number} py
 * @param {number} reach in the picture
 */
export function pick(x, y, r, count, px, py, reach) {
  let best = -1, least = Infinity;
  for (let i = 0; i < count; i++) {
    const distance = Math.hypot(x[i] - px, y[i] - py) - r[i];
    if (distance <= reach && distance < least) [best, least] = [i, distance];
  }
  return best;
}

const WIDE = Math.cos((65 * Math.PI) / 180), TIED = 0.35;

/**
 * The memory to go to from one in a direction: near, and rather an associated one. -1: there is none.
 * @param {Float32Array} x
 * @param {Float32Array} y
 * @param {number} count
 * @param {number} from
 * @param {[number, number]} direction of length 1
 * @param {Set<number>} tied those that are associated with it
 */
export function neighbour(x, y, count, from, [dx, dy], tied) {
  let best = -1, least = Infinity;
  for (let i = 0; i < count; i++) {
    const ox = x[i] - x[from], oy = y[i] - y[from], distance = Math.hypot(ox, oy);
    if (i === from || distance === 0) continue;
    const along = (ox * dx + oy * dy) / distance;
    if (along < WIDE) continue;
    const cost = (distance / along) * (tied.has(i) ? TIED : 1);
    if (cost < least) [best, least] = [i, cost];
  }
  return best;
}
