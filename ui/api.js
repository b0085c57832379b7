// What the page asks of the daemon.

/** An error as the daemon words it. */
export class Refused extends Error {
  constructor(status, error) {
    super([error?.message, error?.hint].filter(Boolean).join(" ") || `The daemon answered ${status}.`);
    this.status = status;
  }
}

async function ask(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  const reply = await fetch(path, options);
  const answer = await reply.json().catch(() => null);
  if (answer?.error || (!reply.ok && path !== "/health")) throw new Refused(reply.status, answer?.error);
  return answer;
}

function query(path, given) {
  const asked = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));
  return `${path}?${asked}`;
}

export class Api {
  /** @param {string} agent */
  constructor(agent) {
    this.agent = agent;
  }

  get _whose() {
    return { agent_id: this.agent };
  }

  _one(id) {
    return `/api/memories/${encodeURIComponent(id)}`;
  }

  health() { return ask("GET", "/health"); }
  stats() { return ask("GET", "/api/stats"); }
  report() { return ask("GET", "/api/report"); }
  preview() { return ask("GET", "/api/preview"); }
  sleep() { return ask("POST", "/api/sleep", { depth: "all" }); }
  skip(days) { return ask("POST", "/api/timeskip", { days }); }
  async agents() { return (await ask("GET", "/api/agents")).agents ?? []; }
  graph(limit) { return ask("GET", query("/api/graph", { ...this._whose, limit })); }
  page(before) { return ask("GET", query("/api/memories", { ...this._whose, limit: 50, before })); }
  inspect(id, offset) { return ask("GET", query(this._one(id), { ...this._whose, offset })); }
  recall(cue) { return ask("POST", "/api/recall", { ...this._whose, cue, k: 8, peek: false }); }
  remember(text) { return ask("POST", "/api/remember", { ...this._whose, text }); }
  update(id, text) { return ask("PATCH", this._one(id), { ...this._whose, text }); }
  forget(id) { return ask("DELETE", query(this._one(id), this._whose)); }
  restore(id) { return ask("POST", `${this._one(id)}/restore`, this._whose); }
}
