// Shoe and hand: cards taken out of the shoe, and what that changes.

import { ask, drop } from "./lib/api.js";
import { get, set } from "./lib/address.js";
import { hand as handOf } from "./lib/cards.js";
import { h, show, table } from "./lib/dom.js";
import { complain, often, percent, plain, signed, signedPercent } from "./lib/say.js";

const KEYS = { a: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 7, 9: 8, 0: 9, t: 9, j: 9, q: 9, k: 9 };
const LETTERS = "A23456789T";

export async function open(main) {
  const place = Object.fromEntries(["figures", "counts", "evs", "parting", "problem", "handproblem"].map((name) => [name, h("div", { id: `shoe-${name}` })]));
  const state = { rules: get("rules"), left: get("left") ? get("left").split(",").map(Number) : null, answer: null, taken: [], hand: get("hand", "T6"), up: get("up", "T"), system: get("system", "Hi-Lo"), indices: get("indices", "i18") };
  const tables = h("select", { id: "shoe-table", onchange: () => fresh(tables.value) });
  const rack = h("div", { class: "rack", role: "group", "aria-label": "The shoe" });
  const undo = h("button", { class: "button", type: "button", id: "shoe-undo", onclick: putBack }, "Put the last one back");
  const seen = h("input", { type: "text", id: "shoe-seen", placeholder: "K 5 5 A …", autocomplete: "off", spellcheck: "false", maxlength: "400" });
  const handInput = h("input", { type: "text", id: "shoe-hand", value: state.hand, maxlength: "20", autocomplete: "off", spellcheck: "false" });
  const upInput = h("input", { type: "text", id: "shoe-up", value: state.up, maxlength: "2", autocomplete: "off", spellcheck: "false" });
  const handCards = h("div", { class: "felt" });
  const system = h("select", { id: "shoe-system" });
  const indices = h("select", { id: "shoe-indices" }, h("option", { value: "i18" }, "the Illustrious 18"), h("option", { value: "all" }, "all its indices, worked out here"));

  show(main, h("div", { class: "shoe-page" },
    h("section", { class: "panel the-shoe", "aria-labelledby": "shoe-title" },
      h("div", { class: "row head" }, h("h2", { id: "shoe-title" }, "The shoe"), h("label", { class: "row" }, h("span", { class: "small muted" }, "Table"), tables)),
      h("p", { class: "small muted" }, "Click a card to take one out, or type it: 2 to 9, T, A. The small button puts one back."),
      rack,
      h("div", { class: "row under" }, undo, h("button", { class: "button", type: "button", id: "shoe-new", onclick: () => fresh(state.rules) }, "New shoe"),
        h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); takeAll(seen.value); seen.value = ""; } }, h("label", { class: "row" }, h("span", { class: "small muted" }, "Cards seen"), seen), h("button", { class: "button" }, "Take out"))),
      place.problem),
    h("section", { class: "panel round", "aria-live": "polite", "aria-labelledby": "round-title" }, h("h2", { id: "round-title" }, "The next round"), place.figures),
    h("section", { class: "panel the-hand", "aria-labelledby": "hand-title" },
      h("h2", { id: "hand-title" }, "A hand from this shoe"),
      h("div", { class: "row" }, h("label", {}, h("span", { class: "small muted" }, "Your cards"), handInput), h("label", {}, h("span", { class: "small muted" }, "Dealer shows"), upInput)),
      handCards, place.handproblem, h("div", { "aria-live": "polite" }, place.evs)),
    h("section", { class: "panel counts", "aria-labelledby": "counts-title" }, h("h2", { id: "counts-title" }, "Every count"), place.counts),
    h("section", { class: "panel parting", "aria-labelledby": "parting-title" },
      h("h2", { id: "parting-title" }, "Where a count and the exact answer part"),
      h("div", { class: "row" }, h("label", {}, h("span", { class: "small muted" }, "Count"), system), h("label", {}, h("span", { class: "small muted" }, "Indices"), indices)),
      place.parting)));

  for (const input of [handInput, upInput]) input.addEventListener("input", () => { Object.assign(state, { hand: handInput.value, up: upInput.value }); keep(); sendHand(); });
  system.addEventListener("change", () => { state.system = system.value; fitIndices(); keep(); sendParting(); });
  indices.addEventListener("change", () => { state.indices = indices.value; keep(); sendParting(); });
  const typed = (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const value = KEYS[event.key.toLowerCase()];
    if (value !== undefined) take(value);
    else if (event.key === "Backspace") putBack();
  };
  addEventListener("keydown", typed);

  function fitIndices() {
    const own = state.system === "Hi-Lo";
    indices.options[0].disabled = !own;
    if (!own) state.indices = "all";
    indices.value = state.indices;
  }

  const body = () => (state.left ? { rules: state.rules, left: state.left } : { rules: state.rules });

  function fresh(rules) {
    Object.assign(state, { rules, left: null, taken: [] });
    send();
  }

  function take(value) {
    if (!state.left || state.left[value] < 1) return;
    state.left[value] -= 1;
    state.taken.push(value);
    showRack();
    send();
  }

  function putBack(event, value = state.taken.at(-1)) {
    if (value === undefined || state.left[value] >= state.answer.whole[value]) return;
    state.left[value] += 1;
    const at = state.taken.lastIndexOf(value);
    if (at >= 0) state.taken.splice(at, 1);
    showRack();
    send();
  }

  function takeAll(text) {
    const values = [...text.toLowerCase().replaceAll("10", "t")].filter((each) => each in KEYS).map((each) => KEYS[each]);
    for (const value of values) if (state.left[value] > 0) { state.left[value] -= 1; state.taken.push(value); }
    showRack();
    send();
  }

  function keep() {
    const full = !state.answer || state.left.every((each, at) => each === state.answer.whole[at]);
    set({ rules: state.rules === "casino" ? null : state.rules, left: full ? null : state.left.join(","), hand: state.hand, up: state.up, system: state.system, indices: state.indices });
  }

  async function send() {
    drop("shoe/parting");
    let answer;
    try {
      answer = await ask("shoe/round", body());
    } catch (problem) {
      show(place.problem, h("p", { class: "problem" }, problem.message));
      return;
    }
    show(place.problem);
    state.answer = answer;
    state.rules = answer.rules;
    state.left = [...answer.left];
    show(tables, answer.presets.map((each) => h("option", { value: each.rules }, each.name)), answer.presets.some((each) => each.rules === answer.rules) ? null : h("option", { value: answer.rules }, answer.title));
    tables.value = answer.rules;
    if (!system.options.length) show(system, answer.counts.map((each) => h("option", {}, each.name)));
    system.value = state.system;
    fitIndices();
    keep();
    showRack();
    showFigures();
    showCounts();
    sendHand();
    sendParting();
  }

  function showRack() {
    const { values, whole } = state.answer;
    const focused = document.activeElement?.dataset?.value;
    const kind = document.activeElement?.className;
    show(rack, values.map((name, at) => h("div", { class: "pile" },
      h("button", { type: "button", class: "take", disabled: state.left[at] < 1, data: { value: name }, title: `Take one out; ${whole[at]} in a full shoe`, onclick: () => take(at) },
        h("span", { class: "sr" }, "take out "), h("span", { class: "card" }, h("b", {}, name)), h("span", { class: "sr" }, " left: "), h("span", { class: "left" }, String(state.left[at]))),
      h("span", { class: "level", "aria-hidden": "true", vars: { "--share": String(state.left[at] / whole[at]) } }),
      h("button", { type: "button", class: "return", disabled: state.left[at] >= whole[at], data: { value: name }, "aria-label": `Put a ${name} back`, onclick: (event) => putBack(event, at) }, "+"))));
    if (focused) [...rack.querySelectorAll("button")].find((each) => each.dataset.value === focused && each.className === kind && !each.disabled)?.focus();
    undo.disabled = !state.taken.length;
  }

  function showFigures() {
    const { answer } = state;
    show(place.figures, h("dl", { class: "figures" },
      h("div", { class: "first" }, h("dt", {}, "EV, best play"), h("dd", { id: "shoe-ev", class: answer.ev > 0 ? "good" : "" }, signedPercent(answer.ev, 4))),
      h("div", {}, h("dt", {}, "EV, the full shoe's chart"), h("dd", {}, signedPercent(answer.chart_ev, 4))),
      h("div", {}, h("dt", {}, "Of a full shoe"), h("dd", {}, signedPercent(answer.full_ev, 4))),
      h("div", {}, h("dt", {}, "Insurance, per unit"), h("dd", { class: answer.insurance_ev > 0 ? "good" : "" }, signed(answer.insurance_ev, 4))),
      h("div", {}, h("dt", {}, "Cards left"), h("dd", {}, `${answer.cards_left} · ${plain(answer.decks_left, 2)} decks`))),
    h("p", { class: "small muted words" }, `${answer.words[0].toUpperCase()}${answer.words.slice(1)}.`));
  }

  function showCounts() {
    show(place.counts, h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Counts" }, table("What a counter who saw these cards go would have", ["count", "running", "used", ...state.answer.values.map((each) => ({ text: each, class: "tag" }))], state.answer.counts.map((each) => [
      each.name, signed(each.running, each.running % 1 ? 1 : 0), { text: each.used === null ? "–" : `${signed(each.used, each.used_as === "true" ? 2 : each.used % 1 ? 1 : 0)}`, class: "best" },
      ...each.tags.map((tag) => ({ text: tag === 0 ? "·" : signed(tag, tag % 1 ? 1 : 0), class: "muted small tag" }))]))));
  }

  async function sendHand() {
    const cards = [...state.hand.toUpperCase().replaceAll("10", "T")].filter((each) => LETTERS.includes(each) || "JQK".includes(each));
    const up = state.up.toUpperCase().replace("10", "T");
    show(handCards, h("div", {}, h("span", { class: "small" }, "you"), handOf(cards)), h("div", {}, h("span", { class: "small" }, "dealer"), handOf([up || null, null])));
    let found;
    try {
      found = await ask("shoe/hand", { ...body(), hand: state.hand, upcard: state.up });
    } catch (problem) {
      show(place.evs);
      show(place.handproblem, h("p", { class: "problem" }, problem.message));
      return;
    }
    show(place.handproblem);
    const parts = found.chart && found.chart !== found.evs[0].action;
    show(place.evs, table("EV of every action in this shoe", null, found.evs.map((each, at) => [each.action, { text: signed(each.ev, 6), class: at === 0 ? "best" : "" }])),
      h("p", {}, `Best is ${found.evs[0].action}.`, found.chart ? (parts ? ` The full shoe's chart says ${found.chart}: this shoe is another.` : " The full shoe's chart says the same.") : "",
        found.insurance === null ? "" : ` Insurance is worth ${signed(found.insurance, 4)} per unit: ${found.insurance > 0 ? "take it" : "leave it"}.`),
      h("details", {}, h("summary", { class: "small" }, "Where the dealer ends, and the counts at this decision"),
        table(null, Object.keys(found.dealer), [Object.values(found.dealer).map((each) => percent(each, 2))]),
        table(null, null, found.counts.map((each) => [each.name, signed(each.used, 2)]))));
  }

  async function sendParting() {
    clearTimeout(state.waiting); // that of a question which was dropped: it would hide the answer to this one
    const waiting = state.waiting = setTimeout(() => show(place.parting, h("p", { class: "muted" }, state.indices === "all" ? "Solving shoes in play to find the indices: some seconds, once a table …" : "…")), 250);
    let found;
    try {
      found = await ask("shoe/parting", { ...body(), system: state.system, indices: state.indices });
    } catch (problem) {
      clearTimeout(waiting);
      show(place.parting, h("p", { class: "problem" }, problem.message));
      return;
    }
    clearTimeout(waiting);
    const insured = found.insurance;
    show(place.parting, h("p", {}, found.all ? `${found.system} with ${found.indices} indices plays ${found.all} first hands otherwise than the exact answer: ${percent(found.lost, 4)} of a bet lost a round.` : `${found.system} with ${found.indices} indices plays every first hand as the exact answer does.`,
      insured ? ` Insurance: the count is ${signed(insured.count, 2)}, its index ${signed(insured.index, 0)}, so it ${insured.takes ? "insures" : "declines"}; exactly it is worth ${signed(insured.ev, 4)}${insured.takes === insured.ev > 0 ? "" : ", so they part"}.` : ""),
    found.hands.length ? h("div", { class: "tall", tabindex: "0", role: "group", "aria-label": "Hands" }, table(null, ["hand", "dealer", "count", "it plays", "best", "each time", "comes up"], found.hands.map((each) => [
      h("button", { type: "button", class: "link", onclick: () => { handInput.value = state.hand = each.hand; upInput.value = state.up = each.upcard; keep(); sendHand(); } }, each.hand), each.upcard, signed(each.count, 1), each.plays, { text: each.best, class: "best" }, signed(-each.cost, 4), often(each.frequency)]))) : null);
  }

  await send().catch(complain);
  return () => removeEventListener("keydown", typed);
}
