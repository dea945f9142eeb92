// A duel watched hand by hand.

import { ask } from "./api.js";
import { get, set } from "./address.js";
import { hand as handOf } from "./cards.js";
import { h, show } from "./dom.js";
import { memory, reasons, thought, verdict } from "./judged.js";
import { plain } from "./say.js";

const FIRST = { first: "champion:pokernet", second: "call", preset: "pokernet", seed: 1, hand: 1 };

/** The panel of duels; `choices` promises who can be chosen. It asks by itself. */
export function openDuel(choices) {
  const state = Object.fromEntries(Object.entries(FIRST).map(([name, value]) => [name, typeof value === "number" ? Number(get(name, value)) : get(name, value)]));
  const place = h("div", { id: "holdem-duel" });
  const fields = h("div", { class: "row fields" });
  choices.then(choose, () => {});
  change({});
  return h("section", { class: "panel push-panel", "aria-labelledby": "duel-title" }, h("h2", { id: "duel-title" }, "A duel, hand by hand"), fields, h("div", { "aria-live": "polite" }, place));

  async function change(values) {
    Object.assign(state, values);
    set(Object.fromEntries(Object.entries(state).map(([name, value]) => [name, value === FIRST[name] ? null : String(value)])));
    place.classList.add("waiting");
    try {
      const found = await ask("holdem/duel", state);
      state.hand = found.hand;
      tell(found);
      judge(found);
    } catch (problem) {
      show(place, h("p", { class: "problem" }, problem.message));
    }
    place.classList.remove("waiting");
  }

  function choose(known) {
    const list = (name, label, names) => h("label", {}, h("span", { class: "small muted" }, label), h("select", { id: `duel-${name}`, onchange: (event) => change({ [name]: event.target.value, hand: 1 }) }, names.map((each) => h("option", { value: each, selected: each === state[name] }, each))));
    show(fields, list("first", "Player", known.players), list("second", "Against", known.players), list("preset", "Table", known.presets.map((each) => each.name)),
      h("label", {}, h("span", { class: "small muted" }, "Seed"), h("input", { type: "number", id: "duel-seed", min: "0", value: String(state.seed), onchange: (event) => change({ seed: event.target.valueAsNumber, hand: 1 }) })));
  }

  async function judge(found) {
    const spots = [...place.querySelectorAll("[data-decision]")];
    try {
      const judged = await ask("holdem/duelcosts", state);
      for (const spot of spots) show(spot, verdict(judged.verdicts[spot.dataset.decision]));
      const sums = judged.given_away.map((each, at) => (each === null ? null : `${found.players[at]} ${plain(each, 3)} BB`)).filter(Boolean);
      show(place.querySelector("#duel-away"), sums.length ? h("p", {}, `Given away in this hand: ${sums.join(", ")}.`) : null, reasons(judged.verdicts).map((each) => h("p", { class: "muted" }, each)));
    } catch (problem) {
      show(place.querySelector("#duel-away"), problem.message);
    }
  }

  function tell(found) {
    const seat = (at) => h("div", {}, h("span", { class: "small" }, `${found.players[at]}, ${found.start[at].toLocaleString("en")} chips${found.button === at ? ", button" : ""}`), handOf(found.holes[at]));
    let decision = 0;
    const line = (each) => (each.pot === undefined ? h("li", {}, each.text)
      : h("li", { class: "decision three" }, h("span", {}, each.text, h("span", { class: "small muted block" }, `into ${each.pot.toLocaleString("en")}; could ${each.legal}`)),
        h("span", { class: "small" }, each.why, each.thought ? h("span", { class: "muted block" }, thought(each.thought)) : null),
        h("div", { data: { decision: String(decision++) } }, verdict(null))));
    show(place,
      h("div", { class: "row" }, h("button", { class: "button", type: "button", id: "duel-back", disabled: found.hand === 1, onclick: () => change({ hand: found.hand - 1 }) }, "Hand before"),
        h("b", { id: "duel-hand" }, `Hand ${found.hand}`), h("button", { class: "button", type: "button", id: "duel-next", disabled: found.is_last, onclick: () => change({ hand: found.hand + 1 }) }, "Next hand")),
      h("div", { class: "felt" }, seat(0), seat(1), found.board.length ? h("div", {}, h("span", { class: "small" }, "board"), handOf(found.board)) : null),
      h("p", { class: "small muted" }, "Beside each decision: why (o is a network's output, p the equity it saw against a random hand), and what the best response does (BB: big blinds)."),
      h("ol", { class: "told" }, found.events.map(line)),
      h("div", { class: "small", id: "duel-away" }, "The best response is being worked out …"),
      h("div", { class: "memories" }, found.memory.map((each, at) => memory(found.players[at], each))));
  }
}
