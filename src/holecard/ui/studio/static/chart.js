// Chart: a strategy to edit. Every letter goes to the server, which answers with the exact score.

import { ask, download } from "./lib/api.js";
import { get, set } from "./lib/address.js";
import { Chart, legend } from "./lib/chart.js";
import { afterFrame, h, show, table } from "./lib/dom.js";
import { complain, often, percent, plain, signed } from "./lib/say.js";

const ANY = "any";
const SHOWN = 40;

export async function open(main) {
  const place = Object.fromEntries(["figures", "leaks", "cell", "palette", "held", "legend", "problem", "same"].map((name) => [name, h("div", { id: `chart-${name}` })]));
  const grid = h("div", {});
  const state = {
    rules: get("rules"), strategy: get("strategy", "basic"), text: get("text"), held: ANY,
    edits: get("edits") ? get("edits").split(",") : [], showDiffers: get("differs") === "1", picked: get("cell") || "hard 16 v 10", answer: null,
  };

  const chart = new Chart(grid, {
    label: "The chart",
    onpick: (cell) => { if (document.activeElement?.dataset?.cell === cell) pick(cell); },
    onclick: (cell) => pick(cell),
    onkey: (cell, key) => {
      if (key === "Backspace" && state.edits.length) { undo(); return true; }
      const letter = state.answer?.letters.find((each) => each.letter === key) || (key.length === 1 && state.answer?.letters.find((each) => each.letter === key.toUpperCase()));
      if (!letter) return false;
      edit(cell, letter.letter);
      return true;
    },
  });
  const sources = h("select", { id: "chart-source" });
  const tables = h("select", { id: "chart-table" });
  const pasted = h("textarea", { id: "chart-pasted", rows: "10", spellcheck: "false", "aria-label": "A chart as text" });
  const differ = h("button", { class: "button", type: "button", "aria-pressed": String(state.showDiffers), id: "chart-differ" }, "Show where I differ from the best");
  const mend = h("button", { class: "button main", type: "button", id: "chart-mend" }, "Mend the costliest leak");
  const back = h("button", { class: "button", type: "button", id: "chart-undo" }, "Undo");
  const again = h("button", { class: "button", type: "button" }, "Start again");

  show(main, h("div", { class: "chart-page" },
    h("section", { class: "panel start", "aria-label": "Where to begin" },
      h("div", { class: "row" },
        h("label", {}, h("span", { class: "small muted" }, "Strategy"), sources),
        h("label", {}, h("span", { class: "small muted" }, "Table"), tables)),
      h("details", {}, h("summary", {}, "Paste a chart"), pasted,
        h("button", { class: "button", type: "button", onclick: () => begin({ text: pasted.value }) }, "Use this chart")),
      place.problem),
    h("section", { class: "panel numbers", "aria-live": "polite", "aria-label": "The score" }, place.figures),
    h("section", { class: "panel edit", "aria-labelledby": "edit-title" },
      h("div", { class: "row chart-head" }, h("h2", { id: "edit-title" }, "The chart"), h("div", { class: "row" }, back, again)),
      place.held, h("div", { class: "chart-place" }, grid), place.legend,
      h("div", { class: "row bottom" }, differ, mend,
        h("span", { class: "row" }, h("span", { class: "small muted" }, "Save as"), ["png", "svg", "txt"].map((form) => h("button", { class: "button", type: "button", onclick: () => download("chart/download", { ...asked(), form }).catch(complain) }, form === "txt" ? "Text" : form.toUpperCase())))),
      place.same),
    h("div", { class: "stack side" },
      h("section", { class: "panel picker", "aria-label": "The cell" }, place.cell, place.palette),
      h("section", { class: "panel", "aria-labelledby": "leaks-title" }, h("h2", { id: "leaks-title" }, "Leaks, costliest first"), place.leaks))));

  differ.addEventListener("click", () => {
    state.showDiffers = !state.showDiffers;
    differ.setAttribute("aria-pressed", String(state.showDiffers));
    keep();
    marks();
  });
  mend.addEventListener("click", () => {
    const found = state.answer?.mend;
    if (!found) return;
    state.edits.push(found.edit);
    send().then(() => chart.focus(plainCell(found.cell)));
  });
  back.addEventListener("click", undo);
  again.addEventListener("click", () => begin({}));
  sources.addEventListener("change", () => begin({ strategy: sources.value }));
  tables.addEventListener("change", () => { state.rules = tables.value; send(); });

  const asked = () => ({ rules: state.rules, strategy: state.strategy, text: state.text, edits: state.edits });
  const plainCell = (cell) => cell.replace(/^(hard)(\+ace)?(@\S+)? /, "$1 ").replace(/^(soft)(@\S+)? /, "$1 ");

  function begin({ strategy = state.strategy, text = strategy === state.strategy ? state.text : "" }) {
    Object.assign(state, { strategy, text, edits: [], held: ANY });
    send();
  }

  function undo() {
    state.edits.pop();
    send();
  }

  function edit(cell, letter) {
    const named = state.held === ANY || cell.startsWith("pair") ? cell : cell.replace(" ", `@${state.held} `);
    const before = state.edits.filter((each) => !each.startsWith(`${named}=`));
    state.edits = [...before, `${named}=${letter}`];
    const node = chart.cells.get(cell);
    node.dataset.letter = letter;
    node.textContent = letter;
    keep();
    send();
  }

  function keep() {
    set({
      rules: state.rules === "casino" ? null : state.rules, strategy: state.text || state.strategy === "basic" ? null : state.strategy, text: state.text,
      edits: state.edits.join(","), differs: state.showDiffers ? "1" : null, cell: state.picked,
    });
  }

  async function send() {
    place.figures.classList.add("waiting");
    let answer;
    try {
      answer = await ask("chart/scored", asked());
    } catch (problem) {
      place.figures.classList.remove("waiting");
      show(place.problem, h("p", { class: "problem" }, problem.message));
      return;
    }
    show(place.problem);
    state.answer = answer;
    state.rules = answer.rules;
    keep();
    showAll();
  }

  function showAll() {
    const { answer } = state;
    const says = Object.fromEntries(answer.letters.map(({ letter, word }) => [letter, word]));
    const block = answer.by_cards.find((each) => each.cards === state.held);
    if (!block) state.held = ANY;
    chart.update(block ? { ...block.chart, pair: answer.chart.pair } : answer.chart, says);
    show(place.held, answer.by_cards.length ? h("div", { class: "row held" }, h("span", { class: "small muted" }, "This chart tells hands apart by their number of cards:"),
      [ANY, ...answer.by_cards.map((each) => each.cards)].map((each) => h("button", { class: "button", type: "button", "aria-pressed": String(state.held === each), onclick: () => { state.held = each; showAll(); } }, each === ANY ? "two cards shown, all edited" : `${each} cards`))) : null);
    show(place.figures, h("dl", { class: "figures" },
      h("div", { class: "first" }, h("dt", {}, "EV of this chart"), h("dd", { id: "chart-ev" }, signed(answer.ev, 6))),
      h("div", {}, h("dt", {}, "Regret against best play"), h("dd", { id: "chart-regret" }, percent(answer.regret, 4))),
      h("div", {}, h("dt", {}, "Best play"), h("dd", {}, signed(answer.optimal_ev, 8))),
      h("div", {}, h("dt", {}, "Best chart"), h("dd", {}, signed(answer.best_chart_ev, 8))),
      h("div", {}, h("dt", {}, "Cells that differ from it"), h("dd", {}, String(Object.keys(answer.differs).length)))),
    h("p", { class: "small muted words" }, `${answer.words[0].toUpperCase()}${answer.words.slice(1)}.`));
    place.figures.classList.remove("waiting");
    marks();
    afterFrame(() => { if (answer === state.answer) showRest(says); });
  }

  function showRest(says) {
    const { answer } = state;
    show(place.legend, legend(answer.used));
    mend.disabled = !answer.mend;
    mend.title = answer.mend ? `${answer.mend.cell}: ${says[answer.mend.letter]}` : "Nothing is left that another letter mends.";
    back.disabled = again.disabled = !state.edits.length;
    pasted.value = answer.text;
    show(place.same, h("p", { class: "small muted same" }, "The same on the command line: ", h("code", {}, state.edits.length || state.text ? `holecard score CHART.txt ${answer.options}`.trim() : `holecard score ${state.strategy.replace(/^run:/, "RUNS/")} ${answer.options}`.trim())));
    if (![...tables.options].some((each) => each.value === answer.rules)) tables.append(h("option", { value: answer.rules }, answer.title));
    tables.value = answer.rules;
    sources.value = state.text ? "" : state.strategy;
    showLeaks(says);
    showCell();
  }

  function showLeaks(says) {
    const { leaks } = state.answer;
    if (!leaks.length) {
      show(place.leaks, h("p", { class: "muted" }, "None: nobody plays this table better."));
      return;
    }
    show(place.leaks, h("div", { class: "tall", tabindex: "0", role: "group", "aria-label": "Leaks" }, table(null, ["cell", "plays", "best", "cost a round", "of all"], leaks.slice(0, SHOWN).map((leak) => [
      h("button", { type: "button", class: "link", onclick: () => chart.focus(plainCell(leak.cell)) }, leak.cell),
      h("b", { class: "key", data: { letter: leak.plays }, title: says[leak.plays] }, leak.plays),
      leak.best === leak.plays ? h("span", { class: "muted small", title: "single hands of this cell deserve another" }, "by hand") : h("b", { class: "key", data: { letter: leak.best }, title: says[leak.best] }, leak.best),
      percent(leak.cost, 5), percent(leak.share, 1)]))),
    leaks.length > SHOWN ? h("p", { class: "small muted" }, `${leaks.length} in all; the others cost less.`) : null);
  }

  function pick(cell) {
    state.picked = cell;
    keep();
    showCell();
  }

  function showCell() {
    const { answer, picked } = state;
    if (!answer) return;
    const says = Object.fromEntries(answer.letters.map(({ letter, word }) => [letter, word]));
    const leak = answer.leaks.find((each) => plainCell(each.cell) === picked);
    const plays = chart.cells.get(picked)?.dataset.letter;
    show(place.cell, h("h2", {}, picked), h("p", {}, plays ? `The chart says ${says[plays]}. ` : "", answer.differs[picked] ? `The best chart says ${says[answer.differs[picked]]}. ` : "The best chart says the same. ",
      leak ? `It comes up ${often(leak.frequency)} and costs ${plain(leak.each, 4)} of a bet each time.` : "Nothing is lost here."));
    show(place.palette, h("div", { class: "row palette", role: "group", "aria-label": `What to play: ${picked}` }, answer.letters.map(({ letter, word }) =>
      h("button", { type: "button", class: "button", "aria-pressed": String(letter === plays), title: word, onclick: () => { edit(picked, letter); } }, h("b", { class: "key", data: { letter } }, letter), h("span", { class: "small" }, word)))));
  }

  function marks() {
    chart.mark(new Map(state.showDiffers ? Object.keys(state.answer?.differs || {}).map((cell) => [cell, "differs"]) : []));
  }

  const begun = send();
  try {
    const found = await ask("chart/sources");
    show(sources, h("optgroup", { label: "Known" }, found.named.map((each) => h("option", { value: each.name }, each.title))),
      found.runs.length ? h("optgroup", { label: "Winners of runs" }, found.runs.map((each) => h("option", { value: each.name }, each.title))) : null,
      h("option", { value: "", disabled: true }, "a pasted chart"));
    sources.value = state.text ? "" : state.strategy;
    show(tables, found.presets.map((each) => h("option", { value: each.rules }, each.name)));
    tables.value = state.rules || "casino";
    if (state.answer) showAll();
  } catch (problem) {
    complain(problem);
  }
  begun.catch(complain);
}
