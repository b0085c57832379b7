import assert from "node:assert/strict";
import { mock, test } from "node:test";

class FakeSource extends EventTarget {
  static CLOSED = 2;
  static made = [];
  constructor(url) {
    super();
    this.url = url;
    this.readyState = 1;
    FakeSource.made.push(this);
  }
  say(name, data, id) {
    this.dispatchEvent(Object.assign(new Event(name), { data, lastEventId: id }));
  }
  close() {
    this.readyState = 2;
  }
}
globalThis.EventSource = FakeSource;
const { Stream } = await import("../../ui/stream.js");

function opened() {
  FakeSource.made.length = 0;
  const heard = [], states = [];
  const stream = new Stream("a b", (name, facts) => heard.push([name, facts]), (live) => states.push(live));
  return { stream, heard, states, source: FakeSource.made[0] };
}

test("events come with their facts, for the agent that is followed", () => {
  const { heard, states, source } = opened();
  source.onopen();
  source.say("recalled", '{"hits": [], "learned": true}', "7");
  assert.equal(source.url, "/api/events?agent_id=a+b");
  assert.deepEqual(heard, [["recalled", { hits: [], learned: true }]]);
  assert.deepEqual(states, [true]);
});

test("half an event is no event", () => {
  const { heard, source } = opened();
  source.say("recalled", '{"hits": [', "7");
  source.say("lagged", "", "8");
  assert.deepEqual(heard, [["lagged", {}]]);
});

test("where the browser gives up, it goes on after the last event that was heard", (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { states, source } = opened();
  source.say("tiers", "{}", "41");
  source.close();
  source.onerror();
  mock.timers.tick(2000);
  assert.deepEqual(states, [false]);
  assert.equal(FakeSource.made.length, 2);
  assert.ok(FakeSource.made[1].url.endsWith("last_event_id=41"));
});

test("while the browser tries by itself, it is let alone", (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { source } = opened();
  source.readyState = 0;
  source.onerror();
  mock.timers.tick(60_000);
  assert.equal(FakeSource.made.length, 1);
});

test("who comes back without having heard anything fetches anew", () => {
  const { heard, source } = opened();
  source.onopen();
  source.readyState = 0;
  source.onerror();
  source.onopen();
  assert.deepEqual(heard, [["lagged", {}]]);
  source.say("tiers", "{}", "3");
  source.onerror();
  source.onopen();
  assert.equal(heard.length, 2);
});

test("a closed stream stays closed", (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { stream, states, source } = opened();
  stream.close();
  source.onerror();
  mock.timers.tick(60_000);
  assert.deepEqual(states, []);
  assert.equal(FakeSource.made.length, 1);
});
