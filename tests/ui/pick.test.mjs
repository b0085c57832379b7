import assert from "node:assert/strict";
import { test } from "node:test";
import { Labels, scaled } from "../../ui/labels.js";
import { neighbour, pick } from "../../ui/pick.js";
import { hash, sunflower } from "../../ui/seed.js";

const X = Float32Array.of(0, 100, 40, 0, -60), Y = Float32Array.of(0, 0, 30, 80, 0), R = new Float32Array(5).fill(4);

test("the nearest memory within reach is meant, else none", () => {
  assert.equal(pick(X, Y, R, 5, 3, 2, 9), 0);
  assert.equal(pick(X, Y, R, 5, 96, 8, 9), 1);
  assert.equal(pick(X, Y, R, 5, 70, 70, 9), -1);
});

test("arrow keys go to what lies in that direction", () => {
  const go = (direction, tied = new Set()) => neighbour(X, Y, 5, 0, direction, tied);
  assert.equal(go([1, 0]), 2);
  assert.equal(go([0, 1]), 3);
  assert.equal(go([-1, 0]), 4);
  assert.equal(go([0, -1]), -1);
});

test("rather to what is associated, even if it is a little farther away", () => {
  assert.equal(neighbour(X, Y, 5, 0, [1, 0], new Set([1])), 1);
});

test("labels cover neither each other nor the furniture", () => {
  const labels = new Labels({ left: 0, top: 0, right: 300, bottom: 100 });
  const places = [1, 2, 3].map(() => labels.place(150, 50, 8, 90, 16)).filter(Boolean);
  assert.ok(places.length >= 2);
  for (const [k, one] of places.entries()) {
    assert.ok(one.x >= 0 && one.x + one.width <= 300);
    for (const other of places.slice(k + 1)) {
      assert.ok(one.x + one.width < other.x || other.x + other.width < one.x || one.y + one.height < other.y || other.y + other.height < one.y);
    }
  }
  assert.equal(labels.place(150, 50, 8, 290, 16), null);
  assert.ok(labels.place(-500, 50, 8, 290, 16, true).x >= 0);
});

test("what is reserved stays free of words", () => {
  const labels = new Labels({ left: 0, top: 0, right: 300, bottom: 100 });
  labels.reserve({ x: 0, y: 0, width: 300, height: 60 });
  assert.equal(labels.fits({ x: 10, y: 50, width: 20, height: 20 }), false);
  assert.equal(labels.fits({ x: 10, y: 70, width: 20, height: 20 }), true);
  assert.equal(labels.fits({ x: 10, y: 70, width: 20, height: 20 }), false);
  assert.deepEqual(scaled({ left: 1, top: 2, right: 3, bottom: 4 }, 2), { left: 2, top: 4, right: 6, bottom: 8 });
});

test("hashes are the same for the same text, and spread", () => {
  assert.equal(hash("abc"), hash("abc"));
  assert.notEqual(hash("abc"), hash("abc", 1));
  const buckets = new Uint32Array(16);
  for (let k = 0; k < 4000; k++) buckets[hash(`M${k}`) >>> 28]++;
  assert.ok(Math.min(...buckets) > 180 && Math.max(...buckets) < 320);
});

test("a sunflower's seeds keep their distance", () => {
  const seeds = Array.from({ length: 200 }, (_, k) => sunflower(k, 10));
  for (const [k, [x, y]] of seeds.entries()) {
    for (const [ox, oy] of seeds.slice(k + 1)) assert.ok(Math.hypot(x - ox, y - oy) > 6);
  }
});
