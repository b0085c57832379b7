import assert from "node:assert/strict";
import { test } from "node:test";
import { FADE_MS, HOLD_MS, HOP_MS, SEED_MS, burning, nextChange, plan, restless, shine } from "../../ui/activation.js";

const HITS = [{ id: "A", activation: 1, path: [] }, { id: "C", activation: 0.5, path: ["A", "B", "C"] }];

test("light starts at the seed and goes on hop by hop", () => {
  const glow = plan(HITS, 1000);
  const lit = (t) => [...shine([glow], t).lights.keys()].sort().join("");
  assert.equal(lit(999), "");
  assert.equal(lit(1001), "A");
  assert.equal(lit(1000 + HOP_MS + 1), "AB");
  assert.equal(lit(1000 + 2 * HOP_MS + 1), "ABC");
});

test("seeds light one after the other, the best first", () => {
  const glow = plan(["A", "B", "C"].map((id, k) => ({ id, activation: 1 - k / 4, path: [] })), 0);
  assert.deepEqual(["A", "B", "C"].map((id) => glow.arrivals.get(id).at), [0, SEED_MS, 2 * SEED_MS]);
});

test("a trail runs while its hop is made", () => {
  const glow = plan(HITS, 0);
  const trails = (t) => shine([glow], t).trails.map(({ from, to, head }) => [from, to, head]);
  assert.deepEqual(trails(HOP_MS / 2), [["A", "B", 0.5]]);
  assert.deepEqual(trails(1.5 * HOP_MS), [["A", "B", 1.5], ["B", "C", 0.5]]);
});

test("a memory on several paths lights with the shortest, a hop they share runs once", () => {
  const glow = plan([...HITS, { id: "D", activation: 0.4, path: ["A", "B", "D"] }, { id: "B", activation: 0.6, path: ["X", "B"] }], 0);
  assert.equal(glow.hops.filter(({ from, to }) => from === "A" && to === "B").length, 1);
  assert.equal(glow.arrivals.get("B").at, HOP_MS);
  assert.ok(glow.arrivals.get("B").hit);
});

test("what is only passed shines less than what is recalled", () => {
  const { lights } = shine([plan(HITS, 0)], 4 * HOP_MS);
  assert.ok(lights.get("A").level > lights.get("C").level);
  assert.ok(lights.get("C").level > lights.get("B").level);
  assert.equal(lights.get("B").hit, false);
});

test("it holds, fades and goes dark", () => {
  const glow = plan([{ id: "A", activation: 1, path: [] }], 0), level = (t) => shine([glow], t).lights.get("A")?.level ?? 0;
  assert.equal(level(1000), level(HOLD_MS - 10));
  assert.ok(level(HOLD_MS + FADE_MS / 2) < level(1000));
  assert.equal(level(HOLD_MS + FADE_MS), 0);
  assert.equal(shine([glow], HOLD_MS + FADE_MS).active, false);
  assert.deepEqual(burning([glow], HOLD_MS + FADE_MS), []);
  assert.deepEqual(burning([glow], HOLD_MS), [glow]);
});

test("with reduced motion all of it is there at once, without trails, and then gone", () => {
  const glow = plan(HITS, 0, true), at = shine([glow], 0);
  assert.deepEqual([...at.lights.keys()].sort(), ["A", "B", "C"]);
  assert.deepEqual(at.trails, []);
  assert.equal(at.lights.get("A").level, 1);
  assert.equal(at.lights.get("A").flash, 0);
  assert.equal(shine([glow], HOLD_MS - 1).lights.get("A").level, 1);
  assert.equal(shine([glow], HOLD_MS).lights.size, 0);
});

test("while it only holds nothing changes, and it is known when it will", () => {
  const glow = plan(HITS, 0), due = nextChange([glow]);
  assert.ok(restless([glow], 100));
  assert.equal(restless([glow], glow.settled + 1), false);
  assert.deepEqual(shine([glow], glow.settled + 1).lights, shine([glow], due - 1).lights);
  assert.ok(restless([glow], due));
  assert.equal(restless([glow], glow.dark), false);
  assert.equal(nextChange([]), Infinity);
  assert.equal(nextChange([plan(HITS, 0, true)]), HOLD_MS);
});

test("of two recalls that light the same memory the brighter counts", () => {
  const { lights } = shine([plan([{ id: "A", activation: 0.2, path: [] }], 0), plan([{ id: "A", activation: 1, path: [] }], 0)], 2000);
  assert.equal(lights.get("A").level, 1);
});

test("a recall of nothing is dark", () => {
  const at = shine([plan([], 0)], 10);
  assert.equal(at.lights.size, 0);
  assert.equal(at.level, 0);
});
