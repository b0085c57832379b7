import assert from "node:assert/strict";
import { test } from "node:test";
import { FLOORS, curve, daysUntil, retention } from "../../ui/forgetting.js";

test("a tenth is lost after as many days as the stability", () => {
  assert.ok(Math.abs(retention(12, 12) - 0.9) < 1e-12);
  assert.equal(retention(0, 5), 1);
  assert.equal(retention(-3, 5), 1);
});

test("days until a retention are the inverse of the curve", () => {
  for (const target of [0.9, 0.6, 0.35, 0.15]) assert.ok(Math.abs(retention(daysUntil(target, 2.5), 2.5) - target) < 1e-12);
});

test("the curve falls from 1 and shows today and every tier", () => {
  const { points, today, days, crossings } = curve(1.9, 0.5);
  assert.deepEqual(points[0], [0, 1]);
  for (let k = 1; k < points.length; k++) assert.ok(points[k][1] < points[k - 1][1] && points[k][0] > points[k - 1][0]);
  assert.ok(Math.abs(retention(today, 1.9) - 0.5) < 1e-9);
  assert.ok(today < days);
  assert.ok(points.at(-1)[1] < FLOORS.cool);
  assert.deepEqual(crossings.map(({ tier }) => tier), ["warm", "cool", "cold"]);
  assert.ok(crossings.every(({ day }) => day < days));
});

test("a memory that has faded for years still has today within the picture", () => {
  const { today, days } = curve(1, 0.001);
  assert.ok(Number.isFinite(days) && today < days);
  assert.ok(Number.isFinite(curve(0, 0).days));
});
