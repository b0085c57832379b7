// The forgetting curve of one memory, drawn in SVG.

import { FLOORS, curve } from "./forgetting.js";
import { span } from "./wording.js";

const WIDTH = 320, HEIGHT = 132, LEFT = 4, RIGHT = 46, TOP = 8, BOTTOM = 20;

function draw(name, given, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/**
 * @param {SVGElement} svg
 * @param {number} stability days
 * @param {number} now retention now
 */
export function drawCurve(svg, stability, now) {
  const { points, today, days } = curve(stability, now);
  const x = (day) => LEFT + (day / days) * (WIDTH - LEFT - RIGHT), y = (r) => TOP + (1 - r) * (HEIGHT - TOP - BOTTOM);
  const at = ([day, r]) => `${x(day).toFixed(1)} ${y(r).toFixed(1)}`;
  const end = x(days), past = points.filter(([day]) => day < today), ahead = points.filter(([day]) => day > today);
  const present = [today, now];
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const parts = [];
  const bands = [["hot", 1, FLOORS.hot], ["warm", FLOORS.hot, FLOORS.warm], ["cool", FLOORS.warm, FLOORS.cool], ["cold", FLOORS.cool, 0]];
  for (const [tier, upper, lower] of bands) {
    parts.push(draw("rect", { class: `band ${tier}`, x: LEFT, y: y(upper), width: end - LEFT, height: y(lower) - y(upper) }));
    if (lower) parts.push(draw("line", { class: "floor", x1: LEFT, x2: end, y1: y(lower), y2: y(lower) }));
    parts.push(draw("text", { class: "name", x: end + 6, y: (y(upper) + y(lower)) / 2 + 3.5 }, tier));
  }
  parts.push(draw("path", { class: "past", d: `M${[...past, present].map(at).join("L")}` }));
  parts.push(draw("path", { class: "ahead", d: `M${[present, ...ahead].map(at).join("L")}` }));
  parts.push(draw("line", { class: "now", x1: x(today), x2: x(today), y1: TOP, y2: HEIGHT - BOTTOM }));
  parts.push(draw("circle", { class: "now", cx: x(today), cy: y(now), r: 4 }));
  const nowX = Math.max(LEFT + 10, Math.min(x(today), end - 90));
  parts.push(draw("text", { class: "name", x: nowX, y: HEIGHT - 5, "text-anchor": "middle" }, "now"));
  parts.push(draw("text", { class: "name", x: end, y: HEIGHT - 5, "text-anchor": "end" }, `in ${span(days - today)}`));
  svg.replaceChildren(...parts);
  svg.setAttribute("aria-label", `Forgetting curve: retention is ${Math.round(now * 100)} % now`);
}
