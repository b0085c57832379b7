// What an empty store shows: how a client is connected, and a place for a first memory.

import { $, tell, working } from "./page.js";
import { brief } from "./wording.js";

export class Welcome {
  /** @param {{api: import("./api.js").Api, onFirst: () => void}} given */
  constructor(given) {
    Object.assign(this, given);
    const address = `${location.origin}/mcp`;
    $("empty-claude").textContent = `claude mcp add --transport http hippo ${address}`;
    $("empty-address").textContent = address;
    $("empty-json").textContent = JSON.stringify({ mcpServers: { hippo: { type: "http", url: address } } }, null, 2);
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => working(button, () => copy(button)));
    }
    $("first").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = $("first-text").value.trim();
      if (text) working($("first-go"), () => this._remember(text));
    });
  }

  /** @param {boolean} empty */
  show(empty) {
    $("empty").hidden = !empty;
  }

  async _remember(text) {
    await this.api.remember(text);
    $("first-text").value = "";
    tell(`Remembered: ${brief(text)}`);
    this.onFirst();
  }
}

async function copy(button) {
  const text = $(button.dataset.copy).textContent;
  await navigator.clipboard.writeText(text);
  tell(`Copied: ${text}`);
}
