// What the page knows: memories, associations and schemas, from the answers and events of the daemon.
//
// 1. A memory is known by its id; its position in `nodes` changes only when memories leave.
// 2. Applying a graph tells what is different, so that it can be shown as movement.
// 3. Fields that an answer lacks have harmless values: an older daemon still has its picture.

export const TIERS = ["hot", "warm", "cool", "cold"];
const HEBB_RATE = 0.2, LABEL_CHARACTERS = 80; // a label of the graph is cut there

/**
 * @typedef {{id: string, label: string, tier: string, salience: number, activation: number, schema: string | null,
 *   created_at: number, kind: string, entity: string | null, archived: boolean, superseded: boolean}} Node
 * @typedef {{a: number, b: number, weight: number, kind: string}} Edge
 * @typedef {{id: string, label: string, members: number, folded: number}} Schema
 * @typedef {{added: string[], removed: string[], joined: string[], tiers: Map<string, string>}} Difference
 *   joined: ids that lie in another schema than before; tiers: id -> the tier it had
 */

/** @returns {Node} */
export function readNode(given) {
  return {
    id: given.id, label: labelOf(given), tier: TIERS.includes(given.tier) ? given.tier : "hot",
    salience: given.salience ?? 0.3, activation: given.activation ?? given.retention_now ?? 1,
    schema: given.schema ?? null, created_at: readTime(given.created_at), kind: given.kind ?? "",
    entity: given.entity ?? null, archived: Boolean(given.archived ?? given.archived_at),
    superseded: Boolean(given.superseded ?? given.superseded_by),
  };
}

function labelOf({ id, label, text }) {
  if (label === undefined) return text ?? id;
  return label.length < LABEL_CHARACTERS ? label : `${label.trimEnd()}…`;
}

/**
 * Milliseconds, from milliseconds or ISO text.
 * @param {number | string | undefined} written
 */
export function readTime(written) {
  const at = typeof written === "number" ? written : Date.parse(written ?? "");
  return Number.isFinite(at) ? at : 0;
}

export class Model {
  constructor() {
    this.clear();
  }

  /** Forgets everything, as for another agent. */
  clear() {
    /** @type {Node[]} */
    this.nodes = [];
    /** @type {Map<string, number>} */
    this.places = new Map();
    /** @type {Edge[]} */
    this.edges = [];
    /** @type {Map<string, Schema>} */
    this.schemas = new Map();
    this.folded = 0;
    this.version = 0;
    this._near = null;
  }

  /** @param {string} id */
  get(id) {
    const place = this.places.get(id);
    return place === undefined ? undefined : this.nodes[place];
  }

  /**
   * Takes what `/api/graph` answered.
   * @param {object} answer
   * @param {boolean} [keepTiers] known memories stay in the tier they had: it is shown later
   * @returns {Difference}
   */
  applyGraph(answer, keepTiers = false) {
    const before = new Map(this.nodes.map((node) => [node.id, node]));
    const difference = { added: [], removed: [], joined: [], tiers: new Map() };
    this.nodes = (answer.nodes ?? []).map(readNode);
    this._number();
    for (const node of this.nodes) {
      const was = before.get(node.id);
      if (!was) {
        difference.added.push(node.id);
        continue;
      }
      if (was.schema !== node.schema && node.schema) difference.joined.push(node.id);
      if (was.tier !== node.tier && keepTiers) node.tier = was.tier;
      else if (was.tier !== node.tier) difference.tiers.set(node.id, was.tier);
      before.delete(node.id);
    }
    difference.removed = [...before.keys()];
    const size = this.nodes.length;
    this.edges = (answer.edges ?? []).filter(([a, b]) => a !== b && a < size && b < size)
      .map(([a, b, weight, kind]) => ({ a, b, weight: weight ?? 0.1, kind: kind ?? "learned" }));
    this.schemas = new Map((answer.schemas ?? []).map((schema) => [schema.id, {
      id: schema.id, label: schema.label ?? "", members: schema.members ?? 0, folded: schema.folded ?? 0 }]));
    this.folded = answer.folded ?? 0;
    this._guessSchemas();
    this._changed();
    return difference;
  }

  /** Rings of an answer that names no schemas: a memory that others name as theirs is one (rule 3). */
  _guessSchemas() {
    for (const node of this.nodes) {
      if (!node.schema || this.schemas.has(node.schema)) continue;
      const own = this.get(node.schema);
      if (own) this.schemas.set(own.id, { id: own.id, label: own.label, members: 0, folded: 0 });
    }
  }

  /**
   * Takes one memory as `inspect` shows it, with its associations to those that are known.
   * @param {object} memory
   * @returns {boolean} whether it is new
   */
  applyMemory(memory) {
    const node = readNode(memory);
    const place = this.places.get(node.id);
    if (place === undefined) {
      this.nodes.push(node);
      this.places.set(node.id, this.nodes.length - 1);
      const ring = this.schemas.get(node.schema);
      if (ring && ring.folded > 0) {
        ring.folded--;
        this.folded = Math.max(0, this.folded - 1);
      }
    } else this.nodes[place] = node;
    for (const association of memory.associations ?? []) {
      this._associate(node.id, association.id, association.weight, association.origin ?? "learned");
    }
    this._changed();
    return place === undefined;
  }

  _associate(one, other, weight, kind) {
    const a = this.places.get(one), b = this.places.get(other);
    if (a === undefined || b === undefined || a === b) return null;
    let edge = this.near(a).find((each) => each.a + each.b - a === b && each.kind !== "schema");
    if (!edge) {
      edge = { a, b, weight: 0, kind };
      this.edges.push(edge);
      this.near(a).push(edge);
      this.near(b).push(edge);
    }
    edge.weight = weight;
    return edge;
  }

  /**
   * Memories that are erased are no more.
   * @param {string[]} ids
   */
  forget(ids) {
    const gone = new Set(ids.filter((id) => this.places.has(id)));
    if (!gone.size) return;
    const moved = new Int32Array(this.nodes.length).fill(-1);
    const kept = this.nodes.filter((node) => !gone.has(node.id));
    kept.forEach((node, k) => { moved[this.places.get(node.id)] = k; });
    this.edges = this.edges.filter(({ a, b }) => moved[a] >= 0 && moved[b] >= 0)
      .map((edge) => ({ ...edge, a: moved[edge.a], b: moved[edge.b] }));
    this.nodes = kept;
    for (const id of gone) this.schemas.delete(id);
    this._number();
    this._changed();
  }

  /**
   * What was recalled together is bound together: w += 0.2 a b (1 - w), and each is at its freshest.
   * @param {{id: string, activation: number}[]} hits
   * @returns {boolean} whether an association is new
   */
  learn(hits) {
    const known = hits.filter((hit) => this.places.has(hit.id));
    const before = this.edges.length;
    for (const [k, one] of known.entries()) {
      this.get(one.id).activation = 1;
      for (const other of known.slice(k + 1)) {
        const w = this.weight(one.id, other.id);
        this._associate(one.id, other.id, w + HEBB_RATE * one.activation * other.activation * (1 - w), "learned");
      }
    }
    if (known.length) this._changed();
    return this.edges.length > before;
  }

  /** How strongly two memories are associated, 0 where they are not. */
  weight(one, other) {
    const a = this.places.get(one), b = this.places.get(other);
    if (a === undefined || b === undefined) return 0;
    return this.near(a).find((edge) => edge.a + edge.b - a === b && edge.kind !== "schema")?.weight ?? 0;
  }

  /**
   * Hits with the paths that are told, and for what was said next to a match the way from it: the association of the
   * two, if it is known.
   * @param {{id: string, activation: number, why?: string, path?: string[]}[]} hits
   */
  led(hits) {
    const seeds = hits.filter((hit) => hit.why === "seed" && this.places.has(hit.id));
    return hits.map((hit) => {
      if (hit.why !== "neighbour" || hit.path?.length) return hit;
      const [best] = seeds.map((seed) => [this.weight(seed.id, hit.id), seed.id]).sort((a, b) => b[0] - a[0]);
      return best?.[0] > 0 ? { ...hit, path: [best[1], hit.id] } : hit;
    });
  }

  /** The ids of a list that are not drawn. */
  unknown(ids) {
    return [...new Set(ids)].filter((id) => !this.places.has(id));
  }

  /**
   * The edges of a node.
   * @param {number} place
   * @returns {Edge[]}
   */
  near(place) {
    if (!this._near) {
      this._near = this.nodes.map(() => []);
      for (const edge of this.edges) {
        this._near[edge.a].push(edge);
        this._near[edge.b].push(edge);
      }
    }
    return (this._near[place] ??= []);
  }

  /**
   * The memories that a pass replays: those made since a moment, oldest first; without any the latest few.
   * @param {number} since
   * @param {number} most
   * @returns {string[]}
   */
  recent(since, most) {
    const ordered = [...this.nodes].sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
    const fresh = ordered.filter((node) => node.created_at > since);
    const chosen = fresh.length ? fresh : ordered.slice(-12);
    const stride = Math.max(1, chosen.length / most);
    const picked = [];
    for (let at = 0; Math.floor(at) < chosen.length; at += stride) picked.push(chosen[Math.floor(at)].id);
    return picked;
  }

  _number() {
    this.places = new Map(this.nodes.map((node, place) => [node.id, place]));
  }

  _changed() {
    this._near = null;
    this.version++;
  }
}
