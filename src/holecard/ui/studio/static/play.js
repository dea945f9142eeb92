// Play: a table to sit at, drills, and your leaks. The server deals, prices and judges; here it is only shown.

import { ask } from "./lib/api.js";
import { get, set } from "./lib/address.js";
import { hand as handOf } from "./lib/cards.js";
import { h, show, table } from "./lib/dom.js";
import { complain, plain, signed } from "./lib/say.js";

const DRILLS = [
  ["Fresh shoes, one unit", [["any", "Any hand"], ["pairs", "Pairs"], ["soft", "Soft hands"], ["wrong", "What you got wrong lately"]]],
  ["A shoe dealt down", [["shoe", "Bets, by the count"]]],
  ["Questions for counters", [["count", "The running count"], ["bet", "The bet"], ["play", "Departures"]]],
];
const COUNTING = ["count", "bet", "play"];
const OUTCOMES = { win: "You win", push: "Push", loss: "You lose" };
const PLAYS = { hit: "H", stand: "S", double: "D", split: "P", surrender: "R" };

const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

export async function open(main) {
  const state = { rules: get("rules", "casino"), drill: get("drill", "any"), seed: Number(get("seed")) || newSeed(), deal: -1, round: null, number: -1, question: null, busy: false, system: get("system", "Hi-Lo"), sitting: newSeed(), rounds: [], units: 1, shown: false };
  const place = Object.fromEntries(["felt", "actions", "price", "totals", "leaks", "problem", "said"].map((name) => [name, h("div", { id: `play-${name}` })]));
  place.said.setAttribute("role", "status");
  const tables = h("select", { id: "play-table", onchange: () => { state.rules = tables.value; restart(); } });
  const drills = h("select", { id: "play-drill", onchange: () => { state.drill = drills.value; restart(); } }, DRILLS.map(([label, options]) => h("optgroup", { label }, options.map(([value, text]) => h("option", { value }, text)))));
  if (!DRILLS.some(([, options]) => options.some(([value]) => value === state.drill))) state.drill = "any";
  drills.value = state.drill;
  const systems = h("select", { id: "play-system", onchange: () => { state.system = systems.value; restart(); } });
  const counted = h("label", { class: "row" }, h("span", { class: "small muted" }, "Count"), systems);

  show(main, h("div", { class: "play-page" },
    h("section", { class: "panel the-table", "aria-labelledby": "play-title" },
      h("div", { class: "row head" }, h("h2", { id: "play-title" }, "Your seat"), h("label", { class: "row" }, h("span", { class: "small muted" }, "Table"), tables), h("label", { class: "row" }, h("span", { class: "small muted" }, "Deal"), drills), counted),
      place.felt, place.said, place.actions, place.problem,
      h("p", { class: "small muted keys" }, "Keys: H S D P R play, I and N answer insurance, Space or Enter deals.")),
    h("section", { class: "panel", "aria-labelledby": "price-title" }, h("h2", { id: "price-title" }, "What it cost"), place.price),
    h("section", { class: "panel", "aria-labelledby": "totals-title" }, h("h2", { id: "totals-title" }, "At this sitting"), place.totals),
    h("section", { class: "panel leaks", "aria-labelledby": "leaks-title" }, h("h2", { id: "leaks-title" }, "Your leaks"), place.leaks)));

  const typed = (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key === " " || event.key === "Enter" ? "Enter" : event.key.toUpperCase();
    if (key === "Enter" && event.target.matches("button, a, summary")) return;
    const button = [...place.actions.querySelectorAll("button")].find((each) => each.dataset.key === key);
    if (!button) return;
    event.preventDefault();
    button.click();
  };
  addEventListener("keydown", typed);

  const counting = () => COUNTING.includes(state.drill);
  const asked = (more) => ({ rules: state.rules, seed: state.seed, sitting: state.sitting, ...more });

  function keep() {
    counted.hidden = !counting() && state.drill !== "shoe";
    set({ rules: state.rules === "casino" ? null : state.rules, drill: state.drill === "any" ? null : state.drill, system: counted.hidden || state.system === "Hi-Lo" ? null : state.system });
  }

  function restart() {
    if (state.busy) return void (state.changed = true);
    Object.assign(state, { seed: newSeed(), deal: -1, number: -1, round: null, question: null, rounds: [] });
    show(place.price, h("p", { class: "muted" }, "The EV of every action is shown once you have decided."));
    keep();
    next();
  }

  /** One question at a time: what is pressed while the server thinks is left out. */
  async function during(work) {
    if (state.busy) return;
    state.busy = true;
    state.changed = false;
    try {
      await work();
      show(place.problem);
    } catch (problem) {
      show(place.problem, h("p", { class: "problem" }, problem.message));
      if (!place.actions.childNodes.length) show(place.actions, again("Try again"));
    } finally {
      state.busy = false;
    }
    if (state.changed) restart();
  }

  const again = (label) => h("button", { type: "button", class: "button main", id: "play-next", data: { key: "Enter" }, onclick: next }, label);

  function next() {
    return during(async () => {
      show(place.actions);
      if (counting()) return void (await nextQuestion());
      if (state.drill === "shoe") return void (await between());
      const found = await ask("play/deal", asked({ after: state.deal, hands: state.drill }));
      state.deal = found.deal;
      showTable(found);
      showRound(found);
      showSums(found);
    });
  }

  function showTable(found) {
    state.rules = found.rules;
    if (![...tables.options].some((each) => each.value === found.rules)) tables.append(h("option", { value: found.rules }, found.title));
    tables.value = found.rules;
  }

  function act(word) {
    return during(async () => {
      const found = state.drill === "shoe" ? await sendShoe([...state.rounds.slice(0, -1), `${state.rounds.at(-1)} ${word}`])
        : await ask("play/act", asked({ deal: state.deal, actions: [...state.round.actions, word] }));
      showRound(found);
      showPrice(found);
      showSums(found);
      showLeaks().catch(complain);
    });
  }

  /** The shoe with these rounds; they count once the server has dealt them. */
  async function sendShoe(rounds) {
    const found = await ask("play/shoe", asked({ system: state.system, rounds }));
    state.rounds = rounds;
    showTable(found);
    return found;
  }

  /** Between rounds of a shoe: the bet is asked for; when the cut card is out, another shoe comes. */
  async function between() {
    if (state.round?.shoe?.shuffled) Object.assign(state, { seed: newSeed(), rounds: [], round: null });
    const found = state.round || await sendShoe(state.rounds);
    if (!state.round) show(place.felt, h("div", { class: "felt" }, h("p", {}, "A new shoe.")));
    showSums(found);
    const units = h("input", { type: "number", id: "play-units", min: "0", max: "100", step: "any", value: String(state.units), "aria-label": "Units to bet" });
    show(place.said, h("p", { class: "spot" }, "How many units do you bet?"), countWords(found));
    show(place.actions, h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); bet(units.valueAsNumber); } }, units, h("button", { class: "button main", id: "play-bet" }, "Deal")));
    units.focus({ preventScroll: true });
    units.select();
  }

  function bet(units) {
    return during(async () => {
      const found = await sendShoe([...state.rounds, String(units)]);
      state.units = units;
      showRound(found);
      showPrice(found);
      showSums(found);
      if (found.over) showLeaks().catch(complain);
    });
  }

  const countWords = ({ shoe, system }) => h("div", { class: "row counted" },
    h("span", { class: "small muted" }, `${shoe.left} cards have not been seen.`),
    h("button", { type: "button", class: "button", id: "play-show-count", "aria-pressed": String(state.shown), onclick: (event) => { state.shown = !state.shown; event.target.closest(".counted").replaceWith(countWords({ shoe, system })); document.getElementById("play-show-count").focus(); } }, "Show the count"),
    state.shown ? h("span", { id: "play-count" }, `${system}: running ${shoe.running.replace("-", "−")}, count ${shoe.count.replace("-", "−")}`) : null);

  function showRound(found) {
    state.round = found;
    const had = place.actions.contains(document.activeElement) || document.activeElement === document.body;
    show(place.felt, h("div", { class: "felt" },
      h("div", { class: "side" }, h("span", { class: "small" }, "dealer"), handOf(found.over ? found.dealer : [...found.dealer, null])),
      h("div", { class: "yours" }, found.hands.map((each, at) => h("div", { class: `side${at === found.to_act && found.hands.length > 1 ? " acting" : ""}` },
        h("span", { class: "small" }, found.hands.length > 1 ? `hand ${at + 1}${at === found.to_act ? ", to act" : ""}` : "you", found.over ? ` · ${each.result} ${signed(each.net, 1)}` : ""),
        handOf(each.cards))))));
    show(place.said, h("p", { class: "spot" }, found.over ? `${OUTCOMES[found.outcome]}: ${signed(found.net, 1)}.${found.shoe?.shuffled ? " The cut card is out: another shoe comes." : ""}` : `${found.spot}: your play?`), found.shoe && !found.over ? countWords(found) : null);
    show(place.actions, found.over ? again("Next round") : found.legal.map((each) => h("button", { type: "button", class: "button", data: { key: each.key, action: each.word }, onclick: () => act(each.word) }, h("kbd", {}, each.key), each.label)));
    if (had) place.actions.querySelector("button")?.focus({ preventScroll: true });
  }

  function showPrice({ decisions, shoe, counter = [] }) {
    const last = decisions.at(-1);
    show(place.price,
      last ? [h("p", { class: last.good ? "good" : "bad", id: "play-verdict" }, `${last.good ? "✓" : "✗"} ${last.spot}: ${last.verdict}.`),
        table(`EV of every action, per bet${last.fresh ? ", of a full shoe" : ", exactly, for the cards you saw"}`, null, last.evs.map((each) => [`${each.action}${each.action === last.action ? " (yours)" : ""}`, { text: signed(each.ev, 6), class: each.action === last.best ? "best" : "" }])),
        counter.length ? h("p", { class: "small muted" }, `By the count alone: ${counter.at(-1)}.`) : null] : null,
      shoe?.bet ? h("p", { class: shoe.bet.right ? "good" : "bad", id: "play-bet-verdict" }, `${shoe.bet.right ? "✓" : "✗"} The bet: ${shoe.bet.words}${shoe.bet.right ? "" : `; ${plain(shoe.bet.cost, 4)} units given away`}.`) : null);
  }

  function showSums({ sitting }) {
    show(place.totals, h("dl", { class: "figures" }, [["Rounds", sitting.rounds, "rounds"], ["Won or lost, units", signed(sitting.net, 1), "net"], ["Decisions", sitting.decisions, "decisions"], ["Mistakes", sitting.mistakes, "mistakes"], ["Given away, units", plain(sitting.given_away, 4), "away"]].map(([name, value, id]) => h("div", {}, h("dt", {}, name), h("dd", { id: `play-${id}-figure` }, String(value))))));
  }

  async function showLeaks() {
    const found = await ask("play/leaks", {});
    show(place.leaks, h("p", { class: "small muted" }, found.decisions ? `${found.decisions} decisions are kept, ${plain(found.given_away, 4)} units given away. The file is yours: ` : "Every decision at the table is kept in a file of yours: ", h("code", {}, found.file)),
      found.leaks.length ? h("div", { class: "tall", tabindex: "0", role: "group", "aria-label": "Leaks, costliest first" }, table(null, ["hand", "you", "best", "times", "units"], found.leaks.map((each) => [each.spot, each.action, { text: each.best, class: "best" }, String(each.times), plain(each.cost, 4)]))) : null,
      found.days.length ? h("div", { class: "tall", tabindex: "0", role: "group", "aria-label": "Day by day" }, table("Day by day", ["day", "decisions", "mistakes", "units a decision"], found.days.map((each) => [each.day, String(each.decisions), String(each.mistakes), plain(each.per_decision, 5)]))) : null);
  }

  const asking = () => asked({ number: state.number, kind: state.drill, system: state.system });

  async function nextQuestion() {
    state.number += 1;
    const found = await ask("play/question", asking());
    state.question = found;
    const hand = found.kind === "play";
    show(place.felt, h("div", { class: "felt" },
      hand ? h("div", { class: "side" }, h("span", { class: "small" }, "dealer"), handOf([found.upcard, null])) : null,
      found.cards.length ? h("div", { class: "side" }, h("span", { class: "small" }, hand ? "you" : "these cards are dealt"), handOf(found.cards)) : null,
      h("p", {}, `${found.system}: the running count ${found.kind === "count" ? "was" : "is"} ${found.running.replace("-", "−")}, ${found.left} cards left${found.kind === "count" ? " before them" : ""}.`)));
    show(place.said, h("p", { class: "spot" }, { count: "What is the running count now?", bet: "How many units do you bet?", play: "What do you play?" }[found.kind]));
    if (found.choices) return void show(place.actions, found.choices.map((word) => h("button", { type: "button", class: "button", data: { key: PLAYS[word], action: word }, onclick: () => answer(word) }, h("kbd", {}, PLAYS[word]), word)));
    const input = h("input", { type: "text", id: "play-answer", inputmode: "text", maxlength: "8", autocomplete: "off", "aria-label": "Your answer" });
    show(place.actions, h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); answer(input.value); } }, input, h("button", { class: "button main" }, "Answer")));
    input.focus({ preventScroll: true });
  }

  function answer(text) {
    return during(async () => {
      const found = await ask("play/verdict", { ...asking(), answer: text });
      show(place.said, h("p", { class: "spot" }, found.right ? "Right." : `Not so: ${found.expected.replace("-", "−")}.`));
      show(place.price, h("p", { class: found.right ? "good" : "bad", id: "play-verdict" }, `${found.right ? "✓ right" : `✗ this answer gives away ${signed(found.price, 4)} units in the next round`}.`), h("p", {}, found.words));
      showSums(found);
      showLeaks().catch(complain);
      show(place.actions, again("Next question"));
      place.actions.querySelector("button").focus({ preventScroll: true });
    });
  }

  show(place.price, h("p", { class: "muted" }, "The EV of every action is shown once you have decided."));
  showSums({ sitting: { rounds: 0, net: 0, decisions: 0, mistakes: 0, given_away: 0 } });
  const known = await ask("play/choices");
  show(tables, known.presets.map((each) => h("option", { value: each.rules }, each.name)));
  show(systems, known.systems.map((each) => h("option", {}, each)));
  if (!known.systems.includes(state.system)) state.system = "Hi-Lo";
  systems.value = state.system;
  showTable({ rules: state.rules, title: state.rules });
  keep();
  await next();
  await showLeaks().catch(complain);
  return () => removeEventListener("keydown", typed);
}
