// Dark or light: the dark one is the page's own, unless the other was chosen here.

const KEY = "theme";

export class Theme {
  /** @param {HTMLElement} button @param {(name: "dark" | "light") => void} onChange */
  constructor(button, onChange) {
    this._onChange = onChange;
    button.addEventListener("click", () => {
      localStorage.setItem(KEY, this.name === "dark" ? "light" : "dark");
      this._apply();
    });
    this._apply();
  }

  get name() {
    return localStorage.getItem(KEY) === "light" ? "light" : "dark";
  }

  _apply() {
    document.documentElement.dataset.theme = this.name;
    this._onChange(this.name);
  }
}
