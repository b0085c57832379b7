// How numbers, times and foreign texts are put into words.

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** @param {number} n */
export function count(n) {
  return Math.round(n).toLocaleString("en");
}

/** "1 memory", "3 memories". */
export function many(n, one, more = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : more}`;
}

/** @param {number} n of bytes */
export function bytes(n) {
  const power = n < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(n) / 3));
  return `${(n / 1000 ** power).toFixed(power ? 1 : 0)} ${UNITS[power]}`;
}

/**
 * A text as it is safe to show: what would steer the screen or turn the writing around is written out.
 * @param {string} text
 */
export function shown(text) {
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The beginning of a text, on one line. */
export function brief(text, most = 60) {
  const line = shown(text).replace(/\s+/g, " ").trim();
  const letters = Array.from(line);
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** A span of days: "3 hours", "12 days", "5 months". */
export function span(days) {
  if (days < 1 / 24) return "moments";
  if (days < 1.5) return many(Math.round(days * 24), "hour");
  if (days < 60) return many(Math.round(days), "day");
  if (days < 730) return many(Math.round(days / 30.4), "month");
  return many(Math.round(days / 365), "year");
}

/** A moment, as the reader's own clock has it. */
export function moment(written) {
  const at = new Date(written);
  return Number.isNaN(at.getTime()) ? "" : at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** The names of a list in one sentence: at most three, and how many more. */
export function named(texts, most = 3) {
  const some = texts.slice(0, most).map((text) => brief(text, 48));
  if (texts.length > most) some.push(`${texts.length - most} more`);
  return some.join(" · ");
}
