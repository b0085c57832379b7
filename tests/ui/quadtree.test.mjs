import assert from "node:assert/strict";
import { test } from "node:test";
import { Quadtree } from "../../ui/quadtree.js";
import { chance } from "../../ui/seed.js";

function scattered(count, seed = 0) {
  const x = new Float64Array(count), y = new Float64Array(count), mass = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    x[i] = 1000 * chance(`x${i}`, seed) - 500;
    y[i] = 600 * chance(`y${i}`, seed) - 300;
    mass[i] = 1 + 3 * chance(`m${i}`, seed);
  }
  return { x, y, mass };
}

function pushed({ x, y, mass }, body) {
  let fx = 0, fy = 0;
  for (let i = 0; i < x.length; i++) {
    const dx = x[body] - x[i], dy = y[body] - y[i], d2 = dx * dx + dy * dy;
    if (i === body) continue;
    fx += (dx * mass[i]) / d2;
    fy += (dy * mass[i]) / d2;
  }
  return [fx, fy];
}

test("with theta 0 the push is the sum over all bodies", () => {
  const points = scattered(300), tree = new Quadtree();
  tree.build(points.x, points.y, points.mass, 300);
  for (const body of [0, 17, 299]) {
    tree.repel(body, 0, Infinity);
    const [fx, fy] = pushed(points, body);
    assert.ok(Math.abs(tree.fx - fx) < 1e-9 * (1 + Math.abs(fx)));
    assert.ok(Math.abs(tree.fy - fy) < 1e-9 * (1 + Math.abs(fy)));
  }
});

test("with a usual theta the push is nearly that", () => {
  const points = scattered(500), tree = new Quadtree();
  tree.build(points.x, points.y, points.mass, 500);
  let wrong = 0, whole = 0;
  for (let body = 0; body < 500; body++) {
    tree.repel(body, 0.9, Infinity);
    const [fx, fy] = pushed(points, body);
    wrong += Math.hypot(tree.fx - fx, tree.fy - fy);
    whole += Math.hypot(fx, fy);
  }
  assert.ok(wrong / whole < 0.06, `${wrong / whole}`);
});

test("the root holds the mass of all, at their middle", () => {
  const points = scattered(120), tree = new Quadtree();
  tree.build(points.x, points.y, points.mass, 120);
  const sum = points.mass.reduce((a, b) => a + b, 0);
  const middle = points.mass.reduce((a, m, i) => a + m * points.x[i], 0) / sum;
  assert.ok(Math.abs(tree.mass[0] - sum) < 1e-9);
  assert.ok(Math.abs(tree.massX[0] - middle) < 1e-9);
});

test("bodies beyond the reach do not push", () => {
  const tree = new Quadtree();
  tree.build([0, 3000], [0, 0], [1, 1], 2);
  tree.repel(0, 0.9, 900);
  assert.equal(tree.fx, 0);
  tree.repel(0, 0.9, Infinity);
  assert.ok(tree.fx < 0);
});

test("bodies in one place part, and to different sides", () => {
  const tree = new Quadtree();
  tree.build([5, 5, 5], [5, 5, 5], [1, 1, 1], 3);
  tree.repel(0, 0.9, 900);
  const first = [tree.fx, tree.fy];
  tree.repel(2, 0.9, 900);
  assert.ok(Number.isFinite(first[0]) && Math.hypot(...first) > 0);
  assert.ok(first[0] * tree.fx < 0);
});

test("the bodies of a disc are those that looking at each one finds", () => {
  const { x, y, mass } = scattered(400), tree = new Quadtree();
  tree.build(x, y, mass, 400);
  for (const [cx, cy, radius] of [[0, 0, 90], [480, -280, 200], [-600, 0, 50], [10, 20, 1e4]]) {
    const found = [];
    tree.within(cx, cy, radius, (body) => found.push(body));
    const all = [...x.keys()].filter((i) => Math.hypot(x[i] - cx, y[i] - cy) <= radius);
    assert.deepEqual(found.sort((a, b) => a - b), all);
  }
});

test("the nearest is found, and none where none is near", () => {
  const { x, y, mass } = scattered(200), tree = new Quadtree();
  tree.build(x, y, mass, 200);
  const distance = (i) => Math.hypot(x[i] - 33, y[i] + 12);
  const nearest = [...x.keys()].reduce((best, i) => (distance(i) < distance(best) ? i : best));
  assert.equal(tree.nearest(33, -12, 500), nearest);
  assert.equal(tree.nearest(9000, 9000, 10), -1);
});

test("a tree without bodies has nobody to find", () => {
  const tree = new Quadtree();
  tree.build([], [], [], 0);
  assert.equal(tree.nearest(0, 0, 100), -1);
});

test("it grows with what it is given, and forgets what it had", () => {
  const tree = new Quadtree(4), many = scattered(5000), few = scattered(3, 9);
  tree.build(many.x, many.y, many.mass, 5000);
  assert.ok(tree.nearest(0, 0, 1000) >= 0);
  tree.build(few.x, few.y, few.mass, 3);
  let visited = 0;
  tree.within(0, 0, 1e6, () => visited++);
  assert.equal(visited, 3);
});
