import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../../ui/model.js";
import { arrangement, nodeRadius } from "../../ui/rings.js";

function ringed(members, { folded = 0, tier = "hot", more = [], edges = [] } = {}) {
  const model = new Model();
  const nodes = [{ id: "S", tier }, ...Array.from({ length: members }, (_, i) => ({ id: `M${i}`, tier, schema: "S" })), ...more];
  model.applyGraph({ nodes, edges, schemas: [{ id: "S", label: "s", members: members + folded, folded }] });
  return model;
}

test("members lie in the ring, its own memory in the middle", () => {
  const { rings: [ring], bodies, bodyOf, offsetX, offsetY } = arrangement(ringed(40, { more: [{ id: "free" }] }));
  assert.equal(bodies.length, 2);
  assert.ok(bodies[0].ring && bodies[0].radius === ring.radius && ring.radius > 0);
  assert.equal(bodyOf[0], 0);
  assert.equal(offsetX[0], 0);
  for (const place of ring.members) {
    assert.equal(bodyOf[place], 0);
    assert.ok(Math.hypot(offsetX[place], offsetY[place]) + nodeRadius("hot", 0.3) < ring.radius);
  }
  assert.equal(bodyOf[41], 1);
});

test("no two members of a ring lie upon each other", () => {
  const { rings: [ring], offsetX, offsetY } = arrangement(ringed(60));
  for (const a of ring.members) {
    for (const b of [0, ...ring.members]) {
      if (a !== b) assert.ok(Math.hypot(offsetX[a] - offsetX[b], offsetY[a] - offsetY[b]) > 5);
    }
  }
});

test("a ring shrinks when its members fade", () => {
  const sizes = ["hot", "warm", "cool", "cold"].map((tier) => arrangement(ringed(20, { tier })).rings[0].radius);
  assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a));
  assert.ok(sizes[3] < 0.75 * sizes[0]);
});

test("folded members widen it a little, and alone they are a ring too", () => {
  const shown = arrangement(ringed(5)).rings[0].radius, folded = arrangement(ringed(5, { folded: 95 })).rings[0].radius;
  assert.ok(folded > shown && folded < 3 * shown);
  assert.equal(arrangement(ringed(0, { folded: 9 })).rings.length, 1);
  assert.equal(arrangement(ringed(0)).rings.length, 0);
});

test("the ring has the warmth of its members", () => {
  const model = ringed(0, { more: ["hot", "cold", "cold"].map((tier, k) => ({ id: `X${k}`, tier, schema: "S" })) });
  assert.equal(arrangement(model).rings[0].tier, "cold");
});

test("between two bodies there is one link, and none within", () => {
  const { links } = arrangement(ringed(3, { more: [{ id: "free" }],
    edges: [[1, 4, 0.3, "learned"], [2, 4, 0.4, "learned"], [1, 2, 0.9, "learned"], [0, 1, 1, "schema"]] }));
  assert.equal(links.length, 1);
  assert.ok(Math.abs(links[0].weight - 0.7) < 1e-12);
});

test("a schema that is itself a member of one is a ring of its own", () => {
  const model = new Model();
  model.applyGraph({ nodes: [{ id: "S" }, { id: "T", schema: "S" }, { id: "M", schema: "T" }, { id: "N", schema: "S" }], edges: [],
    schemas: [{ id: "S", label: "", members: 2, folded: 0 }, { id: "T", label: "", members: 1, folded: 0 }] });
  const { rings, bodyOf } = arrangement(model);
  assert.equal(rings.length, 2);
  assert.notEqual(bodyOf[0], bodyOf[1]);
});

test("a warmer and a more salient memory is larger", () => {
  assert.ok(nodeRadius("hot", 0.3) > nodeRadius("warm", 0.3) && nodeRadius("cool", 0.3) > nodeRadius("cold", 0.3));
  assert.ok(nodeRadius("warm", 0.9) > nodeRadius("warm", 0.1));
});
