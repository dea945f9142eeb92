// Table: rules as switches and sliders, and the exact numbers of the game that they make.

import { download, ask, drop } from "./lib/api.js";
import { get, set, to } from "./lib/address.js";
import { Chart, legend } from "./lib/chart.js";
import { afterFrame, h, radios, show, table } from "./lib/dom.js";
import { complain, often, percent, plain, signed, signedPercent } from "./lib/say.js";

const SOON = 120; // milliseconds without a change before the cells' EVs are asked for
const PAUSE = 350; // and before the slow figures are
const FORMS = [["png", "PNG"], ["svg", "SVG"], ["csv", "CSV"], ["txt", "Text"]];

export async function open(main) {
  const place = Object.fromEntries(["rules", "figures", "outcomes", "legend", "cell", "exceptions", "removal", "same", "problem"].map((name) => [name, h("div", { id: `table-${name}` })]));
  const grid = h("div", {});
  const line = h("input", { type: "text", id: "table-line", spellcheck: "false", autocomplete: "off", maxlength: "400", "aria-describedby": "table-problem" });
  const known = { rules: null, cells: null, prices: {} };
  let picked = get("cell");
  let waiting;
  let wanted = ""; // the rules that were asked for last; a change adds its word to them, answered or not
  let turn = 0;

  const chart = new Chart(grid, { label: "The best chart", onpick: (cell) => { picked = cell; set({ cell }); showCell(); } });
  const presets = h("select", { id: "table-preset", onchange: () => change(presets.value) });
  show(main, h("div", { class: "table-page" },
    h("section", { class: "panel figures-panel", "aria-label": "The house's edge" }, place.figures, place.outcomes),
    h("section", { class: "panel rules-panel", "aria-labelledby": "rules-title" },
      h("h2", { id: "rules-title" }, "Rules"),
      h("div", { class: "rules-head" },
        h("label", {}, h("span", { class: "small muted" }, "A well-known game"), presets),
        h("label", {}, h("span", { class: "small muted" }, "or the rules in a line"), line)),
      place.problem, place.rules),
    h("section", { class: "panel chart-panel", "aria-labelledby": "chart-title" },
      h("div", { class: "row chart-head" }, h("h2", { id: "chart-title" }, "The best chart"),
        h("div", { class: "row downloads" }, h("span", { class: "small muted" }, "Save as"),
          FORMS.map(([form, label]) => h("button", { class: "button", type: "button", onclick: () => download("table/download", { rules: known.rules, form }).catch(complain) }, label)),
          h("a", { class: "button", id: "table-edit", href: "/chart", "data-link": true }, "Edit it"))),
      h("div", { class: "chart-place" }, grid), place.legend, place.same),
    h("div", { class: "stack side" },
      h("section", { class: "panel", "aria-live": "polite", "aria-label": "The cell" }, place.cell),
      h("section", { class: "panel", "aria-labelledby": "exceptions-title" }, h("h2", { id: "exceptions-title" }, "Where the cards of a hand matter"), place.exceptions),
      h("section", { class: "panel", "aria-labelledby": "removal-title" }, h("h2", { id: "removal-title" }, "Effects of removal"), place.removal))));
  line.addEventListener("change", () => change(line.value));

  async function change(rules, first = false) {
    clearTimeout(waiting);
    wanted = rules;
    const mine = ++turn;
    for (const each of ["cells", "outcomes", "removal", "prices"]) drop(`table/${each}`);
    let answer;
    try {
      answer = await ask("table/chart", { rules });
    } catch (problem) {
      show(place.problem, h("p", { class: "problem" }, problem.message));
      line.setAttribute("aria-invalid", "true");
      wanted = known.rules;
      if (first && rules) change("", true);
      else if (known.answer) showSwitches(known.answer);
      return;
    }
    show(place.problem);
    line.removeAttribute("aria-invalid");
    if (answer.rules !== known.rules) { known.cells = null; known.prices = {}; }
    known.rules = wanted = answer.rules;
    known.answer = answer;
    set({ rules: answer.rules === "casino" ? null : answer.rules });
    line.value = answer.rules;
    showFigures(answer);
    chart.update(answer.chart, Object.fromEntries(answer.letters.map(({ letter, word }) => [letter, word])));
    chart.mark(new Map());
    afterFrame(() => { if (mine === turn) showRest(answer, first); });
  }

  function showRest(answer, first) {
    showPresets(answer);
    show(place.legend, legend(answer.letters));
    show(place.same, h("p", { class: "small muted same" }, "The same on the command line: ", h("code", {}, `holecard solve ${answer.options}`.trim())));
    document.getElementById("table-edit").href = to("chart", { rules: get("rules") });
    showSwitches(answer);
    showCell();
    for (const each of ["exceptions", "removal", "outcomes"]) place[each].classList.add("waiting");
    later(first);
  }

  async function later(first) {
    const body = { rules: known.rules };
    const then = (name, use) => ask(`table/${name}`, body).then((answer) => { use(answer); }).catch(complain);
    const cells = () => then("cells", (answer) => {
      known.cells = answer;
      chart.mark(new Map(answer.exceptions.map((each) => [each.cell, "exception"])));
      showCell();
      showExceptions(answer.exceptions);
    });
    const slow = () => {
      then("outcomes", showOutcomes);
      then("removal", showRemoval);
      then("prices", (answer) => { known.prices = answer.prices; showPrices(); });
    };
    waiting = setTimeout(() => { cells(); waiting = setTimeout(slow, first ? 0 : PAUSE - SOON); }, first ? 0 : SOON);
  }

  function showPresets(answer) {
    const names = answer.presets.map((each) => h("option", { value: each.rules, title: each.words }, each.name));
    const own = answer.presets.some((each) => each.rules === answer.rules);
    show(presets, names, own ? null : h("option", { value: answer.rules }, "your own rules"));
    presets.value = answer.rules;
  }

  function showFigures(answer) {
    show(place.figures, h("dl", { class: "figures" },
      h("div", { class: "first" }, h("dt", {}, "House edge"), h("dd", { id: "edge" }, percent(answer.house_edge, 4))),
      h("div", {}, h("dt", {}, "EV, best play"), h("dd", { id: "ev" }, signed(answer.ev, 8))),
      h("div", {}, h("dt", {}, "EV, best chart"), h("dd", { id: "ev-chart" }, signed(answer.ev_total_dependent, 8))),
      h("div", {}, h("dt", {}, "Insurance, per unit"), h("dd", {}, signed(answer.insurance_ev, 4)))),
    h("p", { class: "small muted words" }, `${answer.words[0].toUpperCase()}${answer.words.slice(1)}.`));
  }

  function showOutcomes(found) {
    place.outcomes.classList.remove("waiting");
    const share = (name, value) => h("span", { class: `share ${name}`, vars: { "--share": String(value) } }, h("b", {}, name), ` ${percent(value, 2)}`);
    show(place.outcomes, h("div", { class: "shares" }, share("win", found.win), share("push", found.push), share("lose", found.lose)),
      h("p", { class: "small muted" }, `Standard deviation ${plain(found.stdev, 4)} bets a round.`));
  }

  function showSwitches(answer) {
    const focused = document.activeElement?.closest?.("[data-rule]")?.dataset.rule;
    show(place.rules, answer.switches.map(({ title, switches }, at) => {
      const rows = switches.map((each) => (each.kind === "slider" ? slider(each) : buttons(each)));
      return at < 4 ? h("fieldset", {}, h("legend", {}, title), rows)
        : h("details", { open: rare(switches) || place.rules.dataset.rare, ontoggle: (event) => { place.rules.dataset.rare = event.target.open ? "1" : ""; } },
          h("summary", {}, title), h("fieldset", {}, h("legend", { class: "sr" }, title), rows));
    }));
    if (focused) {
      const again = place.rules.querySelector(`[data-rule="${focused}"]`);
      (again?.querySelector("input:checked") || again?.querySelector("input"))?.focus({ preventScroll: true });
    }
    showPrices();
  }

  const rare = (switches) => switches.some(({ values }) => values.find(({ chosen }) => chosen)?.unusual);

  function buttons({ name, title, values }) {
    const chosen = values.find((each) => each.chosen)?.word;
    const row = radios(`rule-${name}`, title, values.map((each) => ({ value: each.word, label: [h("span", { class: "label" }, each.label), h("small", { class: "price", data: { price: each.word } })], disabled: Boolean(each.problem), title: each.problem || each.words })), chosen,
      (word) => change(`${wanted} ${word}`));
    return h("div", { class: "rule", data: { rule: name } }, h("span", { class: "title", "aria-hidden": "true" }, title), row);
  }

  function slider({ name, title, values }) {
    const at = values.findIndex((each) => each.chosen);
    const shown = h("output", {}, values[at].label);
    const range = h("input", { type: "range", min: "0", max: String(values.length - 1), step: "1", value: String(at), "aria-label": title, "aria-valuetext": values[at].label });
    range.addEventListener("input", () => {
      const each = values[Number(range.value)];
      shown.textContent = each.label;
      range.setAttribute("aria-valuetext", each.label);
      if (each.rules) change(`${wanted} ${each.word}`);
      else show(place.problem, h("p", { class: "problem" }, each.problem));
    });
    const beside = (each) => (each ? h("span", {}, `${each.label}: `, h("small", { class: "price", data: { price: each.word } })) : h("span", {}));
    return h("div", { class: "rule slider", data: { rule: name } },
      h("span", { class: "title", "aria-hidden": "true" }, title), shown, range, h("div", { class: "beside small muted" }, beside(values[at - 1]), beside(values[at + 1])));
  }

  function showPrices() {
    for (const node of place.rules.querySelectorAll("[data-price]")) {
      const price = known.prices[node.dataset.price];
      node.textContent = price === undefined ? "" : signedPercent(price, 3);
      node.classList.toggle("good", price > 0);
      node.classList.toggle("bad", price < 0);
    }
  }

  function showCell() {
    const found = known.cells?.cells[picked];
    if (!picked || !known.cells) {
      show(place.cell, h("h2", {}, picked || "A cell of the chart"), h("p", { class: "muted" }, picked ? "…" : "Point at a cell, tap it, or walk there with the arrow keys: what every action is worth, how often it comes up, what the second best costs."));
      return;
    }
    if (!found) {
      show(place.cell, h("h2", {}, picked), h("p", { class: "muted" }, "This hand does not come up when the best chart is played."));
      return;
    }
    const hands = handsOf(picked);
    const actions = Object.keys(hands[0]?.ev || {});
    show(place.cell, h("h2", {}, picked),
      found.evs.length ? table("EV of every action, on average over the hands of this cell", null, found.evs.map((each, at) => [
        h("span", { class: "action" }, h("b", { class: "key", data: { letter: each.letter } }, each.letter), each.word),
        { text: signed(each.ev, 6), class: at === 0 ? "best" : "" },
        { text: at === 0 ? "best" : signed(each.less, 6), class: "muted" }])) : null,
      h("p", { class: "cell-words" }, `It comes up ${often(found.frequency)}.`,
        found.margin === null ? "" : ` Second best is ${found.runner_up}: ${plain(found.margin, 6)} of a bet lost each time, ${percent(found.cost, 5)} a round.`),
      hands.length ? h("details", { open: hands.length < 8 }, h("summary", { class: "small" }, `Its two-card hands, each with its own EVs`),
        h("div", { class: "scroll" }, table(null, ["hand", ...actions], hands.map((each) => [each.hand, ...actions.map((action) => ({ text: each.ev[action] === undefined ? "" : signed(each.ev[action], 4), class: action === each.best ? "best" : "" }))])))) : null);
  }

  const handsOf = (cell) => known.cells.hands[cell] || [];

  function showExceptions(exceptions) {
    place.exceptions.classList.remove("waiting");
    if (!exceptions.length) {
      show(place.exceptions, h("p", { class: "muted" }, "Nowhere: the chart plays every hand as well as it can be played."));
      return;
    }
    show(place.exceptions, h("p", { class: "small muted" }, "Costliest first. A dot marks these cells in the chart."),
      h("ol", { class: "tall exceptions", tabindex: "0", "aria-label": "Exceptions" }, exceptions.map((each) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => chart.focus(each.cell) }, each.text)))));
  }

  function showRemoval(found) {
    place.removal.classList.remove("waiting");
    if (!found.effects.length) {
      show(place.removal, h("p", { class: "muted" }, found.why));
      return;
    }
    show(place.removal, table("What one card's absence is worth to the player, in % of a bet", ["card", { text: "", class: "wide" }, "play kept", "play changed"], found.effects.map((each) => [
      each.card, h("span", { class: `bar ${each.kept < 0 ? "loss" : "gain"}`, vars: { "--size": String(each.size) } }), signed(100 * each.kept, 4), signed(100 * each.best, 4)]), "plain removal"));
  }

  change(get("rules"), true);
  return () => clearTimeout(waiting);
}
