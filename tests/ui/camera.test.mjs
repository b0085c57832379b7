import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera, boxOf, ease } from "../../ui/camera.js";

function camera(insets = { left: 0, top: 0, right: 0, bottom: 0 }) {
  const made = new Camera();
  made.insets = insets;
  made.resize(1000, 600);
  return made;
}

const near = (a, b, by = 1e-6) => assert.ok(Math.abs(a - b) < by, `${a} and ${b}`);

test("a point goes to the screen and back", () => {
  const seen = camera({ left: 300, top: 60, right: 0, bottom: 80 });
  Object.assign(seen, { x: 12, y: -7, scale: 1.7 });
  const [x, y] = seen.toPicture(...seen.toScreen(33, 44));
  near(x, 33);
  near(y, 44);
});

test("what is looked at is in the middle of what furniture leaves free", () => {
  const seen = camera({ left: 300, top: 60, right: 100, bottom: 140 });
  const [x, y] = seen.toScreen(0, 0);
  near(x, (300 + 900) / 2);
  near(y, (60 + 460) / 2);
});

test("zooming keeps the point under the hand", () => {
  const seen = camera(), [x, y] = seen.toPicture(200, 150);
  seen.zoom(2.5, 200, 150);
  const [sx, sy] = seen.toScreen(x, y);
  near(sx, 200);
  near(sy, 150);
  seen.zoom(1e9, 0, 0);
  assert.ok(seen.scale <= 6);
});

test("panning moves the picture with the hand", () => {
  const seen = camera(), [x] = seen.toScreen(5, 5);
  seen.scale = 2;
  const [before] = seen.toScreen(5, 5);
  seen.pan(40, 0);
  near(seen.toScreen(5, 5)[0], before + 40);
  assert.ok(Number.isFinite(x));
});

test("a framed box is whole in the free part", () => {
  const seen = camera({ left: 310, top: 70, right: 380, bottom: 120 }), box = { left: -500, top: -100, right: 300, bottom: 900 };
  seen.stand(seen.framing(box));
  const clear = seen.clear;
  for (const [x, y] of [[box.left, box.top], [box.right, box.bottom]]) {
    const [sx, sy] = seen.toScreen(x, y);
    assert.ok(sx >= clear.left && sx <= clear.right && sy >= clear.top && sy <= clear.bottom, `${sx} ${sy}`);
  }
});

test("a glide begins where it was, ends where it should, and is slow at both ends", () => {
  const seen = camera();
  seen.glide({ x: 400, y: -300, scale: 2 }, 1000, 1000);
  seen.at(1000);
  near(seen.x, 0);
  seen.at(1050);
  const early = seen.x;
  seen.at(1500);
  assert.ok(early < 20 && seen.x > 150 && seen.x < 400);
  assert.equal(seen.at(2000), false);
  near(seen.x, 400);
  near(seen.y, -300);
  near(seen.scale, 2);
});

test("in a glide everything goes on in one direction", () => {
  const seen = camera();
  seen.glide({ x: 400, y: 100, scale: 0.3 }, 0, 100);
  let x = -1, scale = 2;
  for (let t = 0; t <= 100; t += 5) {
    seen.at(t);
    assert.ok(seen.x >= x - 1e-9 && seen.scale <= scale + 1e-9);
    [x, scale] = [seen.x, seen.scale];
  }
});

test("with reduced motion it is there at once", () => {
  const seen = camera();
  seen.still = true;
  seen.glide({ x: 9, y: 9, scale: 3 }, 0);
  assert.equal(seen.moving, false);
  near(seen.x, 9);
});

test("a hand ends a glide", () => {
  const seen = camera();
  seen.glide({ x: 900, y: 0, scale: 1 }, 0, 1000);
  seen.at(500);
  seen.pan(1, 0);
  const { x } = seen;
  seen.at(900);
  assert.equal(seen.x, x);
});

test("furniture that moves lets the middle glide, and keeps where a glide was going", () => {
  const seen = camera();
  seen.glide({ x: 100, y: 0, scale: 2 }, 0, 1000);
  seen.at(100);
  seen.keepClear({ left: 0, top: 0, right: 400, bottom: 0 }, 100);
  seen.at(5000);
  near(seen.x, 100);
  near(seen.toScreen(100, 0)[0], 300);
  seen.keepClear({ left: 0, top: 0, right: 400, bottom: 0 }, 6000);
  assert.equal(seen.moving, false);
});

test("boxes hold points with their radius; no point has no box", () => {
  assert.deepEqual(boxOf([[0, 0, 2], [10, 5, 1]]), { left: -2, top: -2, right: 11, bottom: 6 });
  assert.equal(boxOf([]), null);
});

test("easing begins at 0, ends at 1 and never goes back", () => {
  let last = 0;
  for (let k = 0; k <= 50; k++) {
    const eased = ease(k / 50);
    assert.ok(eased >= last);
    last = eased;
  }
  assert.equal(ease(0), 0);
  assert.equal(last, 1);
});
