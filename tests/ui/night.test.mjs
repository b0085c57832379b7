import assert from "node:assert/strict";
import { test } from "node:test";
import { Night, STAGE_MS, pulse } from "../../ui/night.js";

const ALL = ["sleep.decay", "sleep.schemas", "sleep.tiers", "sleep.seal", "sleep.finished"];

function asleep() {
  const night = new Night();
  assert.equal(night.hear("sleep.started", 0), true);
  return night;
}

test("a pass that is over in a blink is seen stage by stage", () => {
  const night = asleep(), seen = [];
  ALL.forEach((name) => night.hear(name, 5));
  for (let t = 0; t <= 20_000; t += 50) {
    const begun = night.at(t);
    if (begun) seen.push([begun, t]);
  }
  assert.deepEqual(seen.map(([stage]) => stage), ["fold", "condense", "end"]);
  assert.ok(seen[0][1] >= STAGE_MS.replay);
  assert.ok(seen[1][1] - seen[0][1] >= STAGE_MS.fold);
  assert.ok(seen[2][1] - seen[1][1] >= STAGE_MS.condense);
  assert.equal(night.stage, null);
});

test("a stage waits for the daemon", () => {
  const night = asleep();
  assert.equal(night.at(60_000), null);
  night.hear("sleep.schemas", 60_000);
  assert.equal(night.at(60_001), "fold");
  assert.equal(night.at(90_000), null);
  night.hear("sleep.seal", 90_000);
  assert.equal(night.at(90_001), "condense");
  assert.equal(night.at(120_000), null);
  night.hear("sleep.finished", 120_000);
  assert.equal(night.at(120_001), "end");
});

test("events of no pass, and unknown ones, begin nothing", () => {
  const night = new Night();
  assert.equal(night.hear("sleep.tiers", 0), false);
  assert.equal(night.hear("sleep.something", 0), false);
  assert.equal(night.stage, null);
  assert.equal(night.at(1e6), null);
});

test("a pass that begins meanwhile takes the place of the one shown", () => {
  const night = asleep();
  ALL.forEach((name) => night.hear(name, 5));
  night.at(STAGE_MS.replay);
  night.hear("sleep.started", 5000);
  assert.equal(night.stage, "replay");
  assert.equal(night.at(60_000), null);
});

test("with reduced motion no stage takes time", () => {
  const night = asleep();
  night.still = true;
  ALL.forEach((name) => night.hear(name, 1));
  assert.deepEqual([night.at(1), night.at(1), night.at(1), night.at(1)], ["fold", "condense", "end", null]);
});

test("it wakes when the daemon falls silent", () => {
  const night = asleep();
  night.wake();
  assert.equal(night.stage, null);
  assert.equal(night.progress(10), 0);
});

test("progress runs from 0 to 1 and stays there", () => {
  const night = asleep();
  assert.equal(night.progress(0), 0);
  assert.equal(night.progress(STAGE_MS.replay / 2), 0.5);
  assert.equal(night.progress(1e6), 1);
});

test("in replay memories pulse in order, and all of them within the stage", () => {
  const peaks = Array.from({ length: 10 }, (_, k) => {
    const levels = Array.from({ length: 201 }, (_, at) => pulse(k, 10, at / 200));
    assert.equal(levels[0], 0);
    assert.ok(levels[200] < 1e-9);
    return levels.indexOf(Math.max(...levels));
  });
  assert.deepEqual(peaks, [...new Set(peaks)].sort((a, b) => a - b));
  assert.ok(pulse(0, 1, 0.1) > 0);
});
