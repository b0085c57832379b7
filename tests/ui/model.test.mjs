import assert from "node:assert/strict";
import { test } from "node:test";
import { Model, readTime } from "../../ui/model.js";

const node = (id, more = {}) => ({ id, label: `label ${id}`, tier: "hot", salience: 0.3, activation: 0.9, schema: null,
  created_at: 1000, kind: "fact", entity: null, archived: false, superseded: false, ...more });
const graph = (nodes, edges = [], more = {}) => ({ nodes, edges, folded: 0, schemas: [], ...more });

function known(...given) {
  const model = new Model();
  model.applyGraph(graph(...given));
  return model;
}

test("a graph is taken as it is", () => {
  const model = known([node("A"), node("B")], [[0, 1, 0.4, "learned"]], { folded: 7, schemas: [{ id: "A", label: "a", members: 9, folded: 7 }] });
  assert.equal(model.nodes.length, 2);
  assert.equal(model.weight("A", "B"), 0.4);
  assert.equal(model.folded, 7);
  assert.equal(model.schemas.get("A").folded, 7);
});

test("an answer without the newer fields is a picture all the same", () => {
  const model = new Model();
  model.applyGraph({ nodes: [{ id: "A" }, { id: "B", schema: "A", tier: "lukewarm" }], edges: [[0, 1]] });
  assert.equal(model.get("A").label, "A");
  assert.equal(model.get("B").tier, "hot");
  assert.ok(model.schemas.has("A"));
  model.applyGraph({});
  assert.equal(model.nodes.length, 0);
});

test("edges to nowhere and to oneself are left out", () => {
  const model = known([node("A")], [[0, 0, 1, "learned"], [0, 5, 1, "learned"]]);
  assert.equal(model.edges.length, 0);
});

test("a second graph tells what is different", () => {
  const model = known([node("A"), node("B"), node("C")]);
  const difference = model.applyGraph(graph([node("B", { schema: "S" }), node("C", { tier: "warm" }), node("S"), node("D")]));
  assert.deepEqual(difference.added, ["S", "D"]);
  assert.deepEqual(difference.removed, ["A"]);
  assert.deepEqual(difference.joined, ["B"]);
  assert.deepEqual([...difference.tiers], [["C", "hot"]]);
});

test("tiers can be kept for later", () => {
  const model = known([node("A")]);
  assert.equal(model.applyGraph(graph([node("A", { tier: "cold" }), node("B", { tier: "cold" })]), true).tiers.size, 0);
  assert.equal(model.get("A").tier, "hot");
  assert.equal(model.get("B").tier, "cold");
  assert.deepEqual([...model.applyGraph(graph([node("A", { tier: "cold" })])).tiers], [["A", "hot"]]);
});

test("the same graph again is no difference", () => {
  const model = known([node("A"), node("B")], [[0, 1, 0.5, "learned"]]);
  const { added, removed, joined, tiers } = model.applyGraph(graph([node("A"), node("B")], [[0, 1, 0.5, "learned"]]));
  assert.deepEqual([added, removed, joined, tiers.size], [[], [], [], 0]);
});

test("a remembered memory joins with its associations to what is known", () => {
  const model = known([node("A"), node("B")]);
  const fresh = model.applyMemory({ ...node("C"), text: "c", label: undefined, retention_now: 0.8, activation: undefined,
    created_at: "2026-01-02T03:04:05.678Z", associations: [{ id: "A", weight: 0.3, origin: "learned" }, { id: "Z", weight: 1 }] });
  assert.ok(fresh);
  assert.equal(model.weight("C", "A"), 0.3);
  assert.equal(model.weight("A", "C"), 0.3);
  assert.equal(model.edges.length, 1);
  assert.equal(model.get("C").label, "c");
  assert.equal(model.get("C").activation, 0.8);
  assert.equal(model.get("C").created_at, Date.UTC(2026, 0, 2, 3, 4, 5, 678));
});

test("a corrected memory stays where it is, with its new words", () => {
  const model = known([node("A"), node("B")]);
  assert.equal(model.applyMemory(node("A", { label: "other" })), false);
  assert.equal(model.places.get("A"), 0);
  assert.equal(model.get("A").label, "other");
});

test("a folded memory that is fetched in is folded no more", () => {
  const model = known([node("S")], [], { folded: 5, schemas: [{ id: "S", label: "s", members: 5, folded: 5 }] });
  model.applyMemory(node("X", { schema: "S" }));
  assert.equal(model.folded, 4);
  assert.equal(model.schemas.get("S").folded, 4);
});

test("what is forgotten takes its associations along, and the others keep theirs", () => {
  const model = known([node("A"), node("B"), node("C"), node("D")],
    [[0, 1, 0.1, "learned"], [2, 3, 0.7, "learned"], [1, 3, 0.2, "learned"]]);
  model.forget(["B", "unheard of"]);
  assert.deepEqual(model.nodes.map((each) => each.id), ["A", "C", "D"]);
  assert.equal(model.edges.length, 1);
  assert.equal(model.weight("C", "D"), 0.7);
  assert.equal(model.weight("A", "B"), 0);
});

test("what is recalled together is bound together, by Hebb's rule", () => {
  const model = known([node("A"), node("B"), node("C", { activation: 0.2 })], [[0, 1, 0.5, "learned"]]);
  const fresh = model.learn([{ id: "A", activation: 1 }, { id: "B", activation: 0.8 }, { id: "C", activation: 0.5 }, { id: "gone", activation: 1 }]);
  assert.ok(fresh);
  assert.ok(Math.abs(model.weight("A", "B") - (0.5 + 0.2 * 0.8 * 0.5)) < 1e-12);
  assert.ok(Math.abs(model.weight("A", "C") - 0.2 * 0.5) < 1e-12);
  assert.equal(model.get("C").activation, 1);
  assert.equal(model.learn([{ id: "A", activation: 1 }, { id: "B", activation: 1 }]), false);
});

test("weights stay below 1 however often something is recalled", () => {
  const model = known([node("A"), node("B")]);
  for (let k = 0; k < 200; k++) model.learn([{ id: "A", activation: 1 }, { id: "B", activation: 1 }]);
  assert.ok(model.weight("A", "B") > 0.99 && model.weight("A", "B") <= 1);
});

test("what was said next to a match is led to from it, where they are associated", () => {
  const model = known([node("A"), node("B"), node("C"), node("D")], [[0, 2, 0.05, "learned"], [1, 2, 0.2, "learned"]]);
  const hit = (id, why, path = []) => ({ id, activation: 1, why, path });
  const led = model.led([hit("A", "seed"), hit("B", "seed"), hit("C", "neighbour"), hit("D", "neighbour"), hit("X", "spread", ["A", "X"])]);
  assert.deepEqual(led.map(({ path }) => path), [[], [], ["B", "C"], [], ["A", "X"]]);
});

test("the unknown of a path are named once", () => {
  assert.deepEqual(known([node("A")]).unknown(["A", "X", "Y", "X"]), ["X", "Y"]);
});

test("replay is what came since the last pass, oldest first", () => {
  const model = known([node("late", { created_at: 30 }), node("old", { created_at: 10 }), node("early", { created_at: 20 })]);
  assert.deepEqual(model.recent(15, 10), ["early", "late"]);
  assert.deepEqual(model.recent(99, 10), ["old", "early", "late"]);
  assert.equal(model.recent(0, 2).length, 2);
});

test("every change has a version of its own", () => {
  const model = known([node("A"), node("B")]), seen = new Set([model.version]);
  model.learn([{ id: "A", activation: 1 }, { id: "B", activation: 1 }]);
  seen.add(model.version);
  model.forget(["A"]);
  seen.add(model.version);
  assert.equal(seen.size, 3);
});

test("times are read in either shape", () => {
  assert.equal(readTime(5), 5);
  assert.equal(readTime("1970-01-01T00:00:01Z"), 1000);
  assert.equal(readTime(undefined), 0);
});
