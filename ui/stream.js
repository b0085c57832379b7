// What the daemon tells: its events, from the one after the last that was heard, whatever happens in between.
//
// 1. A browser comes back by itself with Last-Event-ID; where it gives up (an answer that is no stream), this does.
// 2. Who came back without having heard anything cannot say where to go on: that is `lagged` too.
// 3. `lagged` says that events are lost: whoever listens fetches anew.

const NAMES = ["remembered", "revised", "forgotten", "recalled", "sleep.started", "sleep.decay", "sleep.schemas",
  "sleep.tiers", "sleep.seal", "sleep.finished", "tiers", "budget", "dream", "lagged"];
const AGAIN_MS = 2000;

export class Stream {
  /**
   * @param {string} agent
   * @param {(name: string, facts: object) => void} hear
   * @param {(live: boolean) => void} onState
   */
  constructor(agent, hear, onState) {
    this._agent = agent;
    this._hear = hear;
    this._onState = onState;
    this._last = "";
    this._lost = false;
    this._closed = false;
    this._open();
  }

  _open() {
    if (this._closed) return;
    const asked = new URLSearchParams({ agent_id: this._agent });
    if (this._last) asked.set("last_event_id", this._last);
    const source = (this._source = new EventSource(`/api/events?${asked}`));
    source.onopen = () => {
      this._onState(true);
      if (this._lost && !this._last) this._hear("lagged", {});
      this._lost = false;
    };
    source.onerror = () => {
      if (this._closed) return;
      this._onState(false);
      this._lost = true;
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this._open(), AGAIN_MS);
    };
    for (const name of NAMES) source.addEventListener(name, (event) => this._take(name, event));
  }

  _take(name, event) {
    if (event.lastEventId) this._last = event.lastEventId;
    let facts = {};
    try {
      facts = JSON.parse(event.data || "{}") ?? {};
    } catch {
      return; // half an event: the connection broke
    }
    this._hear(name, facts);
  }

  close() {
    this._closed = true;
    this._source.close();
  }
}
