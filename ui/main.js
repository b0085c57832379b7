// The status page: figures, tiers, recent memories, a search that does not teach, and how to connect.
// Everything a memory says is put in as text, never as markup; control characters are shown, not obeyed.

const TIERS = ["hot", "warm", "cool", "cold"];
const $ = (id) => document.getElementById(id);
const count = (n) => n.toLocaleString("en");

function bytes(n) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = n < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(n) / 3));
  return `${(n / 1000 ** power).toFixed(power ? 1 : 0)} ${units[power]}`;
}

function shown(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

async function ask(path, body) {
  const options = body && {
    method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" },
  };
  const reply = await fetch(path, options || {});
  const answer = await reply.json();
  if (answer && answer.error) throw new Error(`${answer.error.message} ${answer.error.hint}`.trim());
  return answer;
}

function showFigures(stats) {
  const rows = [
    ["Memories", count(stats.memories)], ["Associations", count(stats.associations)], ["Agents", count(stats.agents)],
    ["On disk", bytes(stats.total_bytes)], ["Text", bytes(stats.raw_bytes)],
    ["Budget", stats.budget_bytes === null ? "none" : bytes(stats.budget_bytes)],
  ];
  $("figures").replaceChildren(...rows.map(([name, value]) => {
    const pair = element("div");
    pair.append(element("dt", "", name), element("dd", "", value));
    return pair;
  }));
}

function showTiers(stats) {
  const most = Math.max(1, ...TIERS.map((tier) => stats.tiers[tier]?.count ?? 0));
  $("tiers").replaceChildren(...TIERS.map((tier) => {
    const row = stats.tiers[tier] ?? { count: 0, raw_bytes: 0, stored_bytes: 0, ratio: 1 };
    const line = element("li", tier);
    const bar = element("div", "bar");
    const fill = element("div", "fill");
    fill.style.width = `${(100 * row.count) / most}%`;
    bar.append(fill);
    const what = `${count(row.count)} · ${bytes(row.raw_bytes)} as ${bytes(row.stored_bytes)} · ${row.ratio.toFixed(1)}×`;
    line.append(element("span", "tier", tier), bar, element("span", "what", what));
    return line;
  }));
}

function showMemories(title, memories, note) {
  $("memories-title").textContent = title;
  $("note").hidden = !note;
  $("note").textContent = note ?? "";
  $("memories").replaceChildren(...memories.map((memory) => {
    const line = element("li", TIERS.includes(memory.tier) ? memory.tier : "");
    const facts = [memory.id, new Date(memory.created_at).toLocaleString(), memory.kind, memory.entity,
      memory.tags.join(", "), memory.scope].filter(Boolean).join(" · ");
    line.append(element("p", "", shown(memory.text)), element("p", "facts", shown(facts)));
    return line;
  }));
}

function showAgents(agents) {
  const before = $("agent").value || "default";
  const names = agents.map((row) => row.agent_id);
  if (!names.includes(before)) names.unshift(before);
  $("agent").replaceChildren(...names.map((name) => {
    const option = element("option", "", name);
    option.value = name;
    option.selected = name === before;
    return option;
  }));
}

function showState(health) {
  const ok = health.status === "ok";
  $("state").className = `pill ${ok ? "ok" : "bad"}`;
  $("state").textContent = ok ? "remembering" : "cannot write";
  $("version").textContent = `hippo ${health.version}, up ${Math.round(health.uptime_s / 60)} min`;
}

function complain(error) {
  $("state").className = "pill bad";
  $("state").textContent = "no answer";
  $("alert").hidden = false;
  $("alert").textContent = error.message;
}

async function showResults() {
  const cue = $("cue").value.trim();
  const agent = $("agent").value || "default";
  try {
    if (cue) {
      const answer = await ask("/api/recall", { cue, agent_id: agent, k: 10, peek: true });
      if (cue === $("cue").value.trim()) showMemories("What comes to mind", answer.results, answer.note);
    } else {
      const page = await ask(`/api/memories?limit=12&agent_id=${encodeURIComponent(agent)}`);
      const empty = page.memories.length ? "" : "Nothing has been remembered here yet.";
      showMemories("Recent memories", page.memories, empty);
    }
  } catch (error) {
    complain(error);
  }
}

async function refresh() {
  try {
    const [health, stats, agents] = await Promise.all([ask("/health"), ask("/api/stats"), ask("/api/agents")]);
    $("alert").hidden = !stats.alert;
    $("alert").textContent = stats.alert ?? "";
    showState(health);
    showFigures(stats);
    showTiers(stats);
    showAgents(agents.agents);
    if (!$("cue").value.trim()) await showResults();
  } catch (error) {
    complain(error);
  }
}

function later(work, ms) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}

function follow() {
  const soon = later(refresh, 400);
  const events = new EventSource(`/api/events?agent_id=${encodeURIComponent($("agent").value || "default")}`);
  for (const name of ["remembered", "sleep.finished", "lagged"]) events.addEventListener(name, soon);
  return events;
}

function connect() {
  const address = `${location.origin}/mcp`;
  $("address").textContent = address;
  $("entry").textContent = JSON.stringify({ mcpServers: { hippo: { type: "http", url: address } } }, null, 2);
  $("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(address);
    $("copy").textContent = "Copied";
    setTimeout(() => { $("copy").textContent = "Copy"; }, 1500);
  });
}

function theme() {
  const set = (name) => { document.documentElement.dataset.theme = name; };
  set(localStorage.getItem("theme") ?? "dark");
  $("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("theme", next);
    set(next);
  });
}

theme();
connect();
$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  showResults();
});
$("cue").addEventListener("input", later(showResults, 250));
await refresh();
let events = follow();
$("agent").addEventListener("change", () => {
  events.close();
  events = follow();
  showResults();
});
setInterval(refresh, 60_000);
