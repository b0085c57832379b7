// Hands on the picture: drag, wheel, pinch, click, and keys.

const CLICK_PX = 5, REACH_MOUSE = 9, REACH_TOUCH = 20, KEY_ZOOM = 1.25;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Gestures {
  /**
   * @param {import("./brain.js").Brain} brain
   * @param {{onSelect: (id: string | null) => void, onFocus: (id: string) => void}} given
   */
  constructor(brain, given) {
    this.brain = brain;
    Object.assign(this, given);
    this._down = new Map();
    const { canvas } = brain;
    canvas.addEventListener("pointerdown", (event) => this._press(event));
    canvas.addEventListener("pointermove", (event) => this._move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this._release(event));
    canvas.addEventListener("pointerleave", () => this._hover(null));
    canvas.addEventListener("wheel", (event) => this._wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this._key(event));
  }

  _press(event) {
    this.brain.canvas.setPointerCapture(event.pointerId);
    this._down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this._down.size === 1) this._from = { x: event.offsetX, y: event.offsetY, far: false };
    this._apart = this._spread();
  }

  _move(event) {
    const held = this._down.get(event.pointerId), { brain } = this;
    if (!held) {
      this._hover(brain.at(event.offsetX, event.offsetY, REACH_MOUSE));
      return;
    }
    const dx = event.offsetX - held.x, dy = event.offsetY - held.y;
    Object.assign(held, { x: event.offsetX, y: event.offsetY });
    if (Math.hypot(held.x - this._from.x, held.y - this._from.y) > CLICK_PX) this._from.far = true;
    if (!this._from.far) return;
    brain.camera.pan(dx / this._down.size, dy / this._down.size);
    if (this._down.size === 2) this._pinch();
    brain.touch();
  }

  _pinch() {
    const apart = this._spread(), [one, other] = [...this._down.values()];
    if (this._apart) this.brain.camera.zoom(apart / this._apart, (one.x + other.x) / 2, (one.y + other.y) / 2);
    this._apart = apart;
  }

  _spread() {
    if (this._down.size !== 2) return 0;
    const [one, other] = [...this._down.values()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  }

  _release(event) {
    if (!this._down.delete(event.pointerId) || this._down.size || event.type !== "pointerup" || this._from.far) return;
    const reach = event.pointerType === "touch" ? REACH_TOUCH : REACH_MOUSE;
    this.onSelect(this.brain.at(event.offsetX, event.offsetY, reach));
  }

  _hover(id) {
    if (this.brain.hovered === id) return;
    this.brain.hovered = id;
    this.brain.canvas.classList.toggle("over", id !== null);
    this.brain.wake();
  }

  _wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 20 : 1;
    this.brain.camera.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), event.offsetX, event.offsetY);
    this.brain.touch();
  }

  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { brain } = this, { camera } = brain, middle = [camera.width / 2 + camera.shiftX, camera.height / 2 + camera.shiftY];
    if (ARROWS[event.key]) {
      const id = brain.beside(ARROWS[event.key]);
      if (id) this.onFocus(id);
    } else if (event.key === "Enter" && brain.focused) this.onSelect(brain.focused);
    else if (event.key === "+" || event.key === "=") camera.zoom(KEY_ZOOM, ...middle);
    else if (event.key === "-") camera.zoom(1 / KEY_ZOOM, ...middle);
    else if (event.key === "0") brain.home();
    else return;
    if ("+=-".includes(event.key)) brain.touch();
    event.preventDefault();
  }
}
