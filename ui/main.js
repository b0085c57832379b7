// Brings the parts of the page together: what the daemon tells goes to the picture, and into words.

import { Api } from "./api.js";
import { Brain } from "./brain.js";
import { Figures } from "./figures.js";
import { Gestures } from "./gestures.js";
import { List } from "./list.js";
import { readTime } from "./model.js";
import { STAGE_MS } from "./night.js";
import { $, later, make, tell, working } from "./page.js";
import { Panel } from "./panel.js";
import { Passes } from "./passes.js";
import { Search } from "./search.js";
import { Stream } from "./stream.js";
import { Theme } from "./theme.js";
import { Welcome } from "./welcome.js";
import { brief, many, named } from "./wording.js";

const NEWS_MAX = 10, STRANGERS_MAX = 12, SAME_RECALL_MS = 4000, STAGE_WORDS = {
  replay: "Asleep: the memories since the last pass come by once more",
  fold: "Asleep: memories that are alike are folded into schemas",
  condense: "Asleep: what fades is packed more densely",
};

const asked = new URLSearchParams(location.search);
const limit = Number(asked.get("limit")) || undefined;
const api = new Api(asked.get("agent") || "default");
const brain = new Brain($("brain"));
const figures = new Figures();
const still = matchMedia("(prefers-reduced-motion: reduce)");
const hear = { remembered, revised: remembered, forgotten, recalled, lagged: loadAll, tiers, budget,
  "sleep.started": asleep, "sleep.schemas": asleep, "sleep.tiers": asleep, "sleep.seal": asleep, "sleep.finished": asleep,
  dream: loadSoon };
const panel = new Panel({ api, model: brain.model, onSelect: select, onClose: unselect, onForget: (id) => forgotten({ ids: [id] }),
  onChange: (memory) => { brain.model.applyMemory(memory); brain.rebuild(0.02); } });
const search = new Search({ api, onRecall: (hits) => show(hits), onSelect: select, onMove: measure });
const list = new List({ api, onSelect: select });
const welcome = new Welcome({ api, onFirst: () => loadAll() });
const passes = new Passes({ api, onTime: loadSoon });
const loadStatsSoon = later(() => working(null, loadStats), 500), loadGraphSoon = later(() => working(null, loadGraph), 350);
let stream = null, news = new Set(), lastShown = { key: "", at: 0 }, bytesAfter = null, tiersAfter = null, caption = "", cut = false;

// Loading

async function loadGraph(keepTiers = false) {
  const first = !brain.model.nodes.length, answer = await api.graph(limit);
  const difference = brain.model.applyGraph(answer, keepTiers === true);
  brain.rebuild(difference.added.length + difference.joined.length > 3 ? 0.35 : 0.06);
  if (difference.tiers.size) brain.turn(900);
  if (first) brain._opened = false;
  welcome.show(!brain.model.nodes.length && !brain.model.folded);
  describe();
  return difference;
}

async function loadStats() {
  if (brain.night.stage || cut) return;
  figures.stats(await api.stats());
}

async function loadAll() {
  if (brain.night.stage) wakeUp();
  await working(null, async () => {
    await Promise.all([loadGraph(), loadStats(), loadAgents(), loadHealth()]);
    brain.lastPass = readTime((await api.report())?.at);
  });
  list.refresh();
}

function loadSoon() {
  if (brain.night.stage) return; // what a pass changes is shown stage by stage
  loadGraphSoon();
  loadStatsSoon();
}

async function loadHealth() {
  const health = await api.health();
  passes.allow(health.timeskip === true);
  $("version").textContent = `hippo ${health.version}`;
}

async function loadAgents() {
  const agents = await api.agents(), names = agents.map((row) => row.agent_id);
  if (!names.includes(api.agent)) names.unshift(api.agent);
  $("agent").replaceChildren(...names.map((name) => {
    const option = make("option", { text: brief(name, 30), value: name });
    option.selected = name === api.agent;
    return option;
  }));
}

function describe() {
  const { nodes, schemas, folded } = brain.model;
  const words = [many(nodes.length, "memory", "memories"), many(schemas.size, "schema")];
  if (folded) words.push(`${folded.toLocaleString("en")} more folded`);
  $("brain").setAttribute("aria-label", `Picture of ${words.join(", ")}. Arrow keys move between memories, Enter opens one; the list has all of them.`);
  $("drawn").textContent = words.join(" · ");
}

// What happens

function remembered(facts) {
  news.add(facts.id);
  takeNews();
}

const takeNews = later(() => working(null, async () => {
  const ids = [...news];
  news = new Set();
  welcome.show(false);
  loadStatsSoon();
  list.refresh();
  if (ids.length > NEWS_MAX) {
    await loadGraph();
    tell(`Remembered ${many(ids.length, "memory", "memories")}`);
    return;
  }
  const memories = await inspectAll(ids), fresh = take(memories);
  describe();
  if (memories.length) tell(`${fresh ? "Remembered" : "Corrected"}: ${named(memories.map((memory) => memory.text))}`);
  if (panel.memory && ids.includes(panel.memory.id) && $("panel-editing").hidden) await panel.show(panel.memory.id);
}), 120);

async function inspectAll(ids) {
  const asked = await Promise.allSettled(ids.map((id) => api.inspect(id)));
  return asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

/** Memories become part of the picture. @returns {number} how many are new to it */
function take(memories) {
  const fresh = memories.filter((memory) => brain.model.applyMemory(memory)).length;
  if (memories.length) brain.rebuild(fresh ? 0.12 : 0.01);
  return fresh;
}

function forgotten({ ids }) {
  if (panel.memory && ids.includes(panel.memory.id)) unselect();
  for (const row of document.querySelectorAll("li > [data-id]")) {
    if (ids.includes(row.dataset.id)) row.parentElement.remove();
  }
  const known = ids.filter((id) => brain.model.get(id));
  brain.model.forget(ids);
  if (known.length) {
    brain.rebuild(0.05);
    tell(`Forgotten for good: ${many(known.length, "memory", "memories")}`); // what it said is nowhere any more
    $("spoken").textContent = "";
    describe();
  }
  list.refresh();
  loadStatsSoon();
  if (!brain.model.nodes.length) loadGraphSoon();
}

async function recalled({ hits, learned }) {
  await show(hits);
  if (learned && brain.model.learn(hits)) brain.rebuild(0.015);
}

/** Lights what was recalled; the page's own search hears of it twice. */
async function show(hits) {
  const key = hits.map((hit) => hit.id).join(" "), now = performance.now();
  if (!hits.length || (lastShown.key === key && now - lastShown.at < SAME_RECALL_MS)) return;
  lastShown = { key, at: now };
  const strangers = brain.model.unknown(hits.flatMap(({ id, path }) => [...(path ?? []), id])).slice(0, STRANGERS_MAX);
  if (strangers.length) take(await inspectAll(strangers));
  brain.light(brain.model.led(hits));
  const labels = hits.map(({ id }) => brain.model.get(id)?.label ?? id);
  tell(`Recalled ${many(hits.length, "memory", "memories")}: ${named(labels)}`);
}

function tiers(counts) {
  if (!brain.night.stage) return figures.tiers(counts);
  tiersAfter = counts;
  if (brain.night.stage === "condense") condense();
}

function budget({ alert }) {
  $("alert").hidden = !alert;
  $("alert").textContent = alert ?? "";
}

// Sleep

function asleep(facts, name) {
  if (name === "sleep.started") [bytesAfter, tiersAfter] = [null, null];
  if (name === "sleep.finished") bytesAfter = facts.total_bytes;
  brain.hear(name);
  if (name === "sleep.finished" && brain.night.stage === "condense") condense(); // the pass took longer than its picture
  if (name === "sleep.started") stageBegan("replay");
}

async function stageBegan(stage) {
  if (stage === "end") {
    wakeUp();
    await working(null, async () => {
      await loadGraph();
      await loadStats();
      brain.lastPass = readTime((await api.report())?.at);
      tell(caption ? `Awake again. ${caption}` : "Awake again.");
    });
    return;
  }
  $("stage").hidden = false;
  $("stage").dataset.stage = stage;
  $("stage").textContent = STAGE_WORDS[stage];
  tell(STAGE_WORDS[stage]);
  if (stage === "fold") {
    const { joined } = await loadGraph(true);
    caption = joined.length ? `${many(joined.length, "memory", "memories")} joined a schema.` : "";
  }
  if (stage === "condense") {
    await loadGraph();
    brain.turn(STAGE_MS.condense * 0.8);
    condense();
  }
}

/** The figures become those after the pass, as far as they are known. */
function condense() {
  if (tiersAfter) figures.tiers(tiersAfter);
  if (bytesAfter !== null) figures.run(bytesAfter, performance.now(), STAGE_MS.condense * 0.85);
}

function wakeUp() {
  brain.night.wake();
  $("stage").hidden = true;
}

// Selecting

async function select(id) {
  if (id === null) return unselect();
  if (innerWidth < 720) list.toggle(false);
  await working(null, async () => {
    const memory = await panel.show(id);
    if (!memory) return;
    if (!brain.model.get(id)) take([memory]);
    brain.selected = brain.focused = id;
    measure();
    brain.dim();
    brain.look([id]);
  });
}

function unselect() {
  const held = $("panel").contains(document.activeElement);
  panel.close();
  brain.selected = null;
  measure();
  brain.wake();
  if (held) $("brain").focus();
}

function focusOn(id) {
  brain.focused = id;
  const node = brain.model.get(id), [x, y] = brain.where(id), { left, top, right, bottom } = brain.camera.clear;
  $("spoken").textContent = `${brief(node.label, 120)}, ${node.tier}`;
  if (x < left + 40 || x > right - 40 || y < top + 30 || y > bottom - 30) brain.look([id]);
  brain.wake();
}

function escape() {
  if (panel.open) unselect();
  else if (list.open) list.toggle(false);
  else if (search.open) search.clear();
  else brain.home();
}

// The page

/** Tells the camera what the furniture covers. */
function measure() {
  const narrow = innerWidth < 720, box = (id) => ($(id).hidden ? null : $(id).getBoundingClientRect());
  const side = box("panel"), found = box("found"), gap = 12;
  const insets = { left: gap, right: gap, top: $("top").getBoundingClientRect().bottom + 4,
    bottom: innerHeight - $("bottom").getBoundingClientRect().top + 4 };
  if (found && narrow && !side) insets.top = found.bottom + 4;
  else if (found && !narrow) insets.left = found.right + gap;
  if (side && narrow) insets.bottom = Math.max(insets.bottom, innerHeight - side.top + 4);
  else if (side) insets.right = innerWidth - side.left + gap;
  brain.camera.keepClear(insets, performance.now());
  brain.wake();
}

function follow() {
  stream?.close();
  const url = new URL(location.href);
  url.searchParams.set("agent", api.agent);
  if (api.agent !== "default" || asked.has("agent")) history.replaceState(null, "", url);
  stream = new Stream(api.agent, (name, facts) => hear[name]?.(facts, name), (live) => {
    if (live && cut) loadStatsSoon();
    cut = !live;
    $("connection").dataset.state = live ? "live" : "waiting";
    $("connection").textContent = live ? "live" : "waiting for the daemon";
  });
}

function changeAgent() {
  api.agent = $("agent").value;
  unselect();
  search.clear();
  wakeUp();
  brain.model.clear();
  brain.rebuild(1);
  follow();
  loadAll();
}

function start() {
  new Theme($("theme"), (name) => brain.theme(name));
  new Gestures(brain, { onSelect: select, onFocus: focusOn });
  brain.onStage = stageBegan;
  brain.onFrame = (now) => figures.at(now);
  const setStill = () => { brain.setStill(still.matches); figures.still = still.matches; };
  setStill();
  still.addEventListener("change", setStill);
  const resize = () => { brain.resize(innerWidth, innerHeight); measure(); };
  new ResizeObserver(resize).observe($("brain"));
  new ResizeObserver(measure).observe($("bottom"));
  resize();
  $("agent").addEventListener("change", changeAgent);
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") escape();
    else if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) {
      event.preventDefault();
      $("cue").focus();
      $("cue").select();
    }
  });
  $("brain").addEventListener("blur", () => { brain.focused = brain.selected; brain.wake(); });
  // A page that is left may be kept for a way back: it must not hold a connection meanwhile, and shows what is new then.
  addEventListener("pagehide", () => stream.close());
  addEventListener("pageshow", (event) => { if (event.persisted) { follow(); loadAll(); } });
  follow();
  loadAll();
}

window.__brain = {
  frames: () => brain.frames(),
  counts: () => ({ nodes: brain.model.nodes.length, edges: brain.model.edges.length, folded: brain.model.folded }),
  lit: () => brain.lit(),
  stage: () => brain.night.stage,
  settle: () => brain.settle(),
  camera: () => ({ x: brain.camera.x, y: brain.camera.y, scale: brain.camera.scale }),
  where: (id) => brain.where(id),
};
start();
