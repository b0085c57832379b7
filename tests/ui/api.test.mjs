import assert from "node:assert/strict";
import { test } from "node:test";
import { Api } from "../../ui/api.js";

function answering(answer, status = 200) {
  const asked = [];
  globalThis.fetch = async (path, options) => {
    asked.push([options.method, path, options.body && JSON.parse(options.body)]);
    return { ok: status < 400, status, json: async () => (answer === undefined ? JSON.parse("no") : answer) };
  };
  return asked;
}

test("a recall from the page is a real one: it teaches", async () => {
  const asked = answering({ results: [] });
  await new Api("me").recall("where?");
  const [method, path, body] = asked[0];
  assert.deepEqual([method, path], ["POST", "/api/recall"]);
  assert.equal(body.peek, false);
  assert.equal(body.agent_id, "me");
});

test("ids and names are escaped in paths", async () => {
  const asked = answering({});
  const api = new Api("a&b");
  await api.inspect("x/../y");
  await api.forget("A?B");
  await api.graph(undefined);
  assert.equal(asked[0][1], "/api/memories/x%2F..%2Fy?agent_id=a%26b");
  assert.equal(asked[1][1], "/api/memories/A%3FB?agent_id=a%26b");
  assert.equal(asked[2][1], "/api/graph?agent_id=a%26b");
});

test("the daemon's errors are told in its words", async () => {
  answering({ error: { code: "x", message: "No memory has the id A.", hint: "See the list." } }, 404);
  await assert.rejects(new Api("me").inspect("A"), { message: "No memory has the id A. See the list.", status: 404 });
});

test("an answer that is no JSON is an error with its status", async () => {
  answering(undefined, 502);
  await assert.rejects(new Api("me").stats(), /502/);
});

test("a daemon that cannot write still says how it is", async () => {
  answering({ status: "degraded", writable: false }, 503);
  assert.equal((await new Api("me").health()).status, "degraded");
});
