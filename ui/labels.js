// Where words find room: a label is put beside its memory where it covers no other, inside the free part of the page.

/** @typedef {{x: number, y: number, width: number, height: number}} Place left and top */

export class Labels {
  /** @param {import("./camera.js").Box} clear */
  constructor(clear) {
    this._clear = clear;
    /** @type {Place[]} */
    this._taken = [];
  }

  /**
   * @param {number} x of what it belongs to
   * @param {number} y
   * @param {number} away from its middle
   * @param {number} width
   * @param {number} height
   * @param {boolean} [must] put it somewhere, whatever it covers
   * @returns {Place | null} null: there is no room
   */
  place(x, y, away, width, height, must = false) {
    const sides = [[x + away, y - height / 2], [x - away - width, y - height / 2], [x - width / 2, y + away],
      [x - width / 2, y - away - height]];
    for (const [left, top] of sides) {
      const place = { x: left, y: top, width, height };
      if (this._inside(place) && this._free(place)) return this._take(place);
    }
    if (!must) return null;
    const { left, top, right, bottom } = this._clear;
    const [wantedX, wantedY] = sides[0];
    return this._take({ x: Math.max(left, Math.min(wantedX, right - width)),
      y: Math.max(top, Math.min(wantedY, bottom - height)), width, height });
  }

  /** Keeps a place free of words. @param {Place} place */
  reserve(place) {
    this._taken.push(place);
  }

  /** Takes exactly this place, if it is free. @param {Place} place */
  fits(place) {
    return this._inside(place) && this._free(place) && Boolean(this._take(place));
  }

  _take(place) {
    this._taken.push(place);
    return place;
  }

  _inside({ x, y, width, height }) {
    const { left, top, right, bottom } = this._clear;
    return x >= left && x + width <= right && y >= top && y + height <= bottom;
  }

  _free(place) {
    return this._taken.every((other) => place.x + place.width < other.x || other.x + other.width < place.x
      || place.y + place.height < other.y || other.y + other.height < place.y);
  }
}

/** A box in device pixels. */
export function scaled({ left, top, right, bottom }, dpr) {
  return { left: left * dpr, top: top * dpr, right: right * dpr, bottom: bottom * dpr };
}
