import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, bytes, count, many, moment, named, shown, span } from "../../ui/wording.js";

test("what would steer the screen or turn the writing is written out", () => {
  assert.equal(shown("a\u202eb\u0007c\u001b[2J"), "a\\u202eb\\u0007c\\u001b[2J");
  assert.equal(shown("a\u200fb\u061c"), "a\\u200fb\\u061c");
  assert.equal(shown("tab\tand\nline"), "tab\tand\nline");
  assert.equal(shown("<b>Grüße 你好 😀</b>"), "<b>Grüße 你好 😀</b>");
});

test("a beginning is one line, cut between letters", () => {
  assert.equal(brief("one\n  two", 20), "one two");
  assert.equal(brief("abcdefgh", 5), "abcd…");
  assert.equal(brief("😀😀😀😀", 3), "😀😀…");
});

test("bytes and counts are readable", () => {
  assert.equal(bytes(0), "0 B");
  assert.equal(bytes(999), "999 B");
  assert.equal(bytes(12_345), "12.3 kB");
  assert.equal(bytes(3_200_000), "3.2 MB");
  assert.equal(count(1234567), "1,234,567");
});

test("numbers agree with their nouns", () => {
  assert.equal(many(1, "memory", "memories"), "1 memory");
  assert.equal(many(0, "memory", "memories"), "0 memories");
  assert.equal(many(2, "schema"), "2 schemas");
});

test("spans are told in the unit that fits", () => {
  assert.equal(span(0.01), "moments");
  assert.equal(span(0.5), "12 hours");
  assert.equal(span(28.4), "28 days");
  assert.equal(span(100), "3 months");
  assert.equal(span(1000), "3 years");
});

test("a list is named in short", () => {
  assert.equal(named(["a", "b"]), "a · b");
  assert.equal(named(["a", "b", "c", "d", "e"]), "a · b · c · 2 more");
});

test("a moment that is none is left out", () => {
  assert.equal(moment("nonsense"), "");
  assert.notEqual(moment(0), "");
});
