// A strategy chart: three grids, walked with the arrow keys; one cell at a time is in the order of Tab.

import { h, show } from "./dom.js";

export const UPCARDS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
const TITLES = { hard: "Hard totals", soft: "Soft hands", pair: "Pairs" };
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Draws charts in an element. onpick(cell) is called when a cell is pointed at, tapped or reached by keys; onkey(cell,
 * key) for every other key on a cell; onclick(cell) for a click. A cell is named as the command line names it. */
export class Chart {
  constructor(place, { label = "Strategy chart", onpick = () => {}, onkey = () => false, onclick = () => {} } = {}) {
    this.place = place;
    this.calls = { onpick, onkey, onclick };
    this.label = label;
    this.cells = new Map();
    this.shape = "";
    place.classList.add("chart");
    place.addEventListener("keydown", (event) => this.#press(event));
    place.addEventListener("focusin", (event) => this.#pick(event));
    place.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") this.#pick(event); });
    place.addEventListener("click", (event) => {
      const cell = event.target.closest("td")?.dataset.cell;
      if (cell) { this.cells.get(cell).focus({ preventScroll: true }); this.calls.onclick(cell); }
    });
  }

  /** Show a chart: {hard, soft, pair}, each a list of rows [label, ten letters], lowest first. `says` names letters, for who listens. */
  update(chart, says = {}) {
    const shape = JSON.stringify(Object.entries(chart).map(([name, rows]) => [name, rows.map(([label]) => label)]));
    if (shape !== this.shape) this.#build(chart);
    this.shape = shape;
    for (const [section, rows] of Object.entries(chart)) {
      for (const [label, letters] of rows) {
        UPCARDS.forEach((upcard, at) => {
          const node = this.cells.get(`${section} ${label} v ${upcard}`);
          if (node.dataset.letter === letters[at]) return;
          node.dataset.letter = letters[at];
          node.textContent = letters[at];
          node.setAttribute("aria-label", `${node.dataset.cell}: ${says[letters[at]] || letters[at]}`);
        });
      }
    }
  }

  /** Mark cells: a map from cell to the kind of mark. */
  mark(marks) {
    for (const [name, node] of this.cells) {
      if (marks.has(name)) node.dataset.mark = marks.get(name);
      else delete node.dataset.mark;
    }
  }

  focus(cell) {
    this.cells.get(cell)?.focus();
  }

  #build(chart) {
    this.cells.clear();
    this.grids = Object.entries(chart).filter(([, rows]) => rows.length).map(([section, rows]) => {
      const lines = [...rows].reverse().map(([label]) => h("tr", {}, h("th", { scope: "row" }, label),
        UPCARDS.map((upcard) => {
          const cell = `${section} ${label} v ${upcard}`;
          const node = h("td", { tabindex: "-1", role: "gridcell", data: { cell } });
          this.cells.set(cell, node);
          return node;
        })));
      return h("table", { role: "grid", "aria-label": `${this.label}: ${TITLES[section] || section}` },
        h("caption", {}, TITLES[section] || section),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "sr" }, "hand")), UPCARDS.map((each) => h("th", { scope: "col" }, each)))),
        h("tbody", {}, lines));
    });
    show(this.place, this.grids);
    const first = this.place.querySelector("td");
    if (first) first.tabIndex = 0;
  }

  #pick(event) {
    const node = event.target.closest("td");
    if (!node) return;
    if (event.type === "focusin") {
      for (const each of this.place.querySelectorAll('td[tabindex="0"]')) each.tabIndex = -1;
      node.tabIndex = 0;
    }
    this.calls.onpick(node.dataset.cell);
  }

  #press(event) {
    const node = event.target.closest("td");
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in MOVES) {
      event.preventDefault();
      this.#move(node, ...MOVES[event.key]);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      [...node.parentNode.cells].at(event.key === "Home" ? 1 : -1).focus();
    } else if (this.calls.onkey(node.dataset.cell, event.key)) {
      event.preventDefault();
    }
  }

  #move(node, down, right) {
    const row = node.parentNode;
    if (right) {
      const beside = row.cells[node.cellIndex + right];
      if (beside?.tagName === "TD") beside.focus();
      else this.#other(node, right);
      return;
    }
    (down > 0 ? row.nextElementSibling : row.previousElementSibling)?.cells[node.cellIndex].focus();
  }

  #other(node, right) {
    const grids = [...this.place.querySelectorAll("table")];
    const next = grids[grids.indexOf(node.closest("table")) + right];
    if (!next) return;
    const rows = next.tBodies[0].rows;
    const row = rows[Math.min(node.parentNode.sectionRowIndex, rows.length - 1)];
    row.cells[right > 0 ? 1 : row.cells.length - 1].focus();
  }
}

/** What letters mean, below a chart. */
export const legend = (letters) => h("ul", { class: "legend" },
  letters.map(({ letter, word }) => h("li", {}, h("b", { data: { letter } }, letter), word)));
