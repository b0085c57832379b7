// Chance that is none: the same text gives the same numbers, so that the same memories are drawn the same way.

/**
 * A hash of a text (FNV-1a, 32 bits, mixed once more so that near texts lie far apart).
 * @param {string} text
 * @param {number} [seed]
 * @returns {number} 0 .. 2^32 - 1
 */
export function hash(text, seed = 0) {
  let h = (2166136261 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * A number in [0, 1) that belongs to a text.
 * @param {string} text
 * @param {number} [seed]
 */
export function chance(text, seed = 0) {
  return hash(text, seed) / 4294967296;
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/**
 * The place of the k-th seed of a sunflower: evenly spread over a disc, whatever their number.
 * @param {number} k from 0
 * @param {number} step distance between neighbours
 * @param {number} [turn] the angle that the whole begins at
 * @returns {[number, number]}
 */
export function sunflower(k, step, turn = 0) {
  const r = step * 0.564 * Math.sqrt(k + 0.5); // each seed has an area of step squared: pi r^2 = k step^2
  return [r * Math.cos(k * GOLDEN + turn), r * Math.sin(k * GOLDEN + turn)];
}
