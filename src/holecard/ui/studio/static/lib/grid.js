// The 13 × 13 grid of starting hands: suited above the diagonal, offsuit below. Arrow keys walk, Enter and clicks choose.

import { h } from "./dom.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Grid {
  /** onpoint gets the name of the hand pointed at; onchoose that of one clicked, where the grid can be painted. */
  constructor(label, { onpoint, onchoose } = {}) {
    this.node = h("div", { class: "hand-grid", role: "group", "aria-label": label });
    this.cells = new Map();
    this.on = { onpoint, onchoose };
    this.node.addEventListener("keydown", (event) => this.walk(event));
  }

  build(names) {
    if (this.cells.size) return;
    this.names = names;
    names.flat().forEach((name, at) => {
      const value = h("small", {});
      const cell = h("button", {
        type: "button", tabindex: at ? "-1" : "0", data: { hand: name }, "aria-pressed": this.on.onchoose ? "false" : null,
        onclick: () => this.on.onchoose?.(name), onfocus: () => this.point(name), onpointerenter: () => this.on.onpoint?.(name),
      }, h("b", {}, name), value);
      this.cells.set(name, { cell, value });
      this.node.append(cell);
    });
  }

  point(name) {
    for (const [each, { cell }] of this.cells) cell.tabIndex = each === name ? 0 : -1;
    this.on.onpoint?.(name);
  }

  walk(event) {
    const step = STEPS[event.key];
    const name = event.target.dataset.hand;
    if (!step || !name) return;
    event.preventDefault();
    const row = this.names.findIndex((each) => each.includes(name));
    const next = this.names[row + step[0]]?.[this.names[row].indexOf(name) + step[1]];
    if (next) this.cells.get(next).cell.focus();
  }

  /** Colours by a share from 0 to 1, null for none, with a text in each cell. */
  colour(shareOf, textOf) {
    for (const [name, { cell, value }] of this.cells) {
      const share = shareOf(name);
      cell.classList.toggle("none", share === null);
      cell.style.setProperty("--share", String(share ?? 0));
      value.textContent = share === null ? "" : textOf(name);
    }
  }

  /** Frames hands of a range; those in some of their suits only get a dashed frame. */
  paint(painted) {
    for (const [name, { cell }] of this.cells) {
      const share = painted[name] ?? 0;
      cell.setAttribute("aria-pressed", share === 1 ? "true" : share ? "mixed" : "false");
    }
  }
}
