// The forgetting curve as the daemon has it: R(t) = 1 / (1 + t / (9 S)), t and S in days, and where tiers begin.

export const FLOORS = { hot: 0.6, warm: 0.35, cool: 0.15 };

/** How likely a memory still comes to mind. */
export function retention(days, stability) {
  return 1 / (1 + Math.max(0, days) / (9 * stability));
}

/** After how many days a retention is reached: the inverse. */
export function daysUntil(target, stability) {
  return 9 * stability * (1 / target - 1);
}

/**
 * The curve of a memory, to be drawn.
 * @param {number} stability days
 * @param {number} now retention now: it tells the daemon's clock, which may be ahead of this one
 * @param {number} [steps]
 * @returns {{points: [number, number][], today: number, days: number, crossings: {tier: string, day: number}[]}}
 *   points: day since the last access, retention; crossings: into which tier it falls when
 */
export function curve(stability, now, steps = 80) {
  const s = Math.max(0.01, stability), today = Math.max(0, daysUntil(Math.min(1, Math.max(now, 1e-4)), s));
  const days = Math.max(today * 1.35, daysUntil(FLOORS.cool, s) * 1.12);
  const points = Array.from({ length: steps + 1 }, (_, k) => {
    const day = days * (k / steps) ** 1.6; // closer where it bends
    return [day, retention(day, s)];
  });
  const crossings = [["warm", FLOORS.hot], ["cool", FLOORS.warm], ["cold", FLOORS.cool]]
    .map(([tier, floor]) => ({ tier, day: daysUntil(floor, s) }));
  return { points, today, days, crossings };
}
