import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout } from "../../ui/layout.js";
import { chance } from "../../ui/seed.js";

const body = (id, radius = 4, ring = false, near = -1) => ({ id, radius, ring, near });
const bodies = (count) => Array.from({ length: count }, (_, i) => body(`M${i}`));
const links = (count, of) => Array.from({ length: count }, (_, k) => ({
  a: Math.floor(chance(`a${k}`) * of), b: Math.floor(chance(`b${k}`) * of), weight: chance(`w${k}`) }))
  .filter(({ a, b }) => a !== b);

function settled(some, ties) {
  const layout = new Layout();
  layout.arrange(some, ties);
  layout.settle();
  return layout;
}

const apart = (layout, a, b) => Math.hypot(layout.x[a] - layout.x[b], layout.y[a] - layout.y[b]);

test("the same memories come to lie in the same places, to the bit", () => {
  const one = settled(bodies(150), links(300, 150)), other = settled(bodies(150), links(300, 150));
  assert.deepEqual(one.x, other.x);
  assert.deepEqual(one.y, other.y);
});

test("slices give what whole ticks give", () => {
  const whole = new Layout(), sliced = new Layout();
  whole.arrange(bodies(90), links(120, 90));
  sliced.arrange(bodies(90), links(120, 90));
  for (let k = 0; k < 25; k++) whole.tick();
  while (sliced.ticks < 25) sliced.advance(7);
  assert.deepEqual(sliced.x, whole.x);
  assert.deepEqual(sliced.y, whole.y);
});

test("nothing moves within a tick", () => {
  const layout = new Layout();
  layout.arrange(bodies(50), []);
  const before = layout.x.slice();
  assert.equal(layout.advance(10), false);
  assert.deepEqual(layout.x, before);
  while (!layout.advance(10));
  assert.notDeepEqual(layout.x, before);
});

test("it comes to rest, and then costs nothing", () => {
  const layout = settled(bodies(80), links(100, 80)), { ticks } = layout, x = layout.x.slice();
  assert.ok(layout.resting);
  assert.equal(layout.advance(1000), true);
  assert.equal(layout.ticks, ticks);
  assert.deepEqual(layout.x, x);
});

test("what is associated lies nearer than what is not", () => {
  const layout = settled(bodies(60), [{ a: 0, b: 1, weight: 1 }, { a: 2, b: 3, weight: 1 }]);
  let sum = 0, pairs = 0;
  for (let a = 0; a < 60; a++) for (let b = a + 1; b < 60; b++) [sum, pairs] = [sum + apart(layout, a, b), pairs + 1];
  assert.ok(apart(layout, 0, 1) < (0.6 * sum) / pairs);
  assert.ok(apart(layout, 2, 3) < (0.6 * sum) / pairs);
});

test("a stronger association is a shorter one", () => {
  const layout = settled(bodies(4), [{ a: 0, b: 1, weight: 1 }, { a: 2, b: 3, weight: 0.05 }]);
  assert.ok(apart(layout, 0, 1) < apart(layout, 2, 3));
});

test("rings overlap neither each other nor what is no member", () => {
  const some = [...Array.from({ length: 8 }, (_, i) => body(`R${i}`, 30 + 5 * i, true)), ...bodies(120)];
  const layout = settled(some, links(200, some.length));
  for (let a = 0; a < 8; a++) {
    for (let b = a + 1; b < some.length; b++) {
      assert.ok(apart(layout, a, b) > layout.radius[a] + layout.radius[b] - 3, `${a} and ${b}`);
    }
  }
});

test("all of it stays together and finite", () => {
  const layout = settled(bodies(400), links(500, 400));
  for (let i = 0; i < 400; i++) assert.ok(Math.hypot(layout.x[i], layout.y[i]) < 2000);
});

test("a new memory begins beside what it is associated with; the others stay where they are", () => {
  const layout = settled(bodies(40), []), x = layout.x.slice();
  layout.arrange([...bodies(40), body("new", 4, false, 7)], [{ a: 40, b: 7, weight: 0.5 }], 0.05);
  assert.deepEqual(layout.x.slice(0, 40), x);
  assert.ok(apart(layout, 40, 7) < 60);
  assert.ok(!layout.resting);
});

test("a memory that leaves lets the others keep their places", () => {
  const layout = settled(bodies(10), []), [x, y] = [layout.x[9], layout.y[9]];
  layout.arrange(bodies(10).slice(1), [], 0);
  assert.equal(layout.x[8], x);
  assert.equal(layout.y[8], y);
  assert.ok(layout.resting);
});

test("no memory at all, or one, is no trouble", () => {
  assert.equal(settled([], []).count, 0);
  const one = settled([body("only")], []);
  assert.ok(Number.isFinite(one.x[0]) && Number.isFinite(one.y[0]));
});
