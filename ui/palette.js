// The colours of the picture. Warmth carries meaning: hot amber, warm coral, cool teal, cold slate blue.

/**
 * @typedef {{ground: string, middle: string, edge: string, ink: string, quiet: string, halo: string, dream: string,
 *   trail: string, core: string, chosen: string, tiers: Record<string, string>, glow: number}} Palette
 */

/** @type {Record<string, Palette>} */
export const PALETTES = {
  dark: {
    ground: "#060914", middle: "#0c1428", edge: "#5b74b0", ink: "#e8edf8", quiet: "#93a1c2", halo: "#060914",
    dream: "#a88bff", trail: "#ffd9a0", core: "#fff6e6", chosen: "#ffffff", glow: 1,
    tiers: { hot: "#ffb547", warm: "#ff7a66", cool: "#3fc6b8", cold: "#6a86b8" },
  },
  light: {
    ground: "#eceff6", middle: "#fbfcff", edge: "#7d8fb8", ink: "#131a2b", quiet: "#566280", halo: "#f7f9fd",
    dream: "#7a55e0", trail: "#d07a00", core: "#ffffff", chosen: "#ffffff", glow: 0.45,
    tiers: { hot: "#e08d00", warm: "#e0523c", cool: "#12938a", cold: "#5a76ad" },
  },
};

/**
 * A colour with an opacity.
 * @param {string} hex #rrggbb
 * @param {number} alpha
 */
export function veil(hex, alpha) {
  const n = parseInt(hex.slice(1), 16);
  return `rgba(${n >> 16},${(n >> 8) & 255},${n & 255},${alpha})`;
}
