// A duel watched hand by hand.

import { ask } from "./api.js";
import { get, set } from "./address.js";
import { hand as handOf } from "./cards.js";
import { h, show, table } from "./dom.js";

const FIRST = { first: "champion:pokernet", second: "smart", preset: "pokernet", seed: 1, hand: 1 };

/** The panel of duels; it asks by itself. */
export function openDuel() {
  const state = Object.fromEntries(Object.entries(FIRST).map(([name, value]) => [name, typeof value === "number" ? Number(get(name, value)) : get(name, value)]));
  const place = h("div", { id: "holdem-duel" });
  const fields = h("div", { class: "row fields" });
  change({});
  return h("section", { class: "panel push-panel", "aria-labelledby": "duel-title" }, h("h2", { id: "duel-title" }, "A duel, hand by hand"), fields, h("div", { "aria-live": "polite" }, place));

  async function change(values) {
    Object.assign(state, values);
    set(Object.fromEntries(Object.entries(state).map(([name, value]) => [name, value === FIRST[name] ? null : String(value)])));
    place.classList.add("waiting");
    try {
      const found = await ask("holdem/duel", state);
      state.hand = found.hand;
      choose(found);
      tell(found);
    } catch (problem) {
      show(place, h("p", { class: "problem" }, problem.message));
    }
    place.classList.remove("waiting");
  }

  function choose(found) {
    if (fields.childElementCount) return;
    const list = (name, label, choices) => h("label", {}, h("span", { class: "small muted" }, label), h("select", { id: `duel-${name}`, onchange: (event) => change({ [name]: event.target.value, hand: 1 }) }, choices.map((each) => h("option", { value: each, selected: each === state[name] }, each))));
    show(fields, list("first", "Player", found.choices), list("second", "Against", found.choices), list("preset", "Table", found.presets),
      h("label", {}, h("span", { class: "small muted" }, "Seed"), h("input", { type: "number", id: "duel-seed", min: "0", value: String(state.seed), onchange: (event) => change({ seed: event.target.valueAsNumber, hand: 1 }) })));
  }

  function tell(found) {
    const seat = (at) => h("div", {}, h("span", { class: "small" }, `${found.players[at]}, ${found.start[at].toLocaleString("en")} chips${found.button === at ? ", button" : ""}`), handOf(found.holes[at]));
    show(place,
      h("div", { class: "row" }, h("button", { class: "button", type: "button", id: "duel-back", disabled: found.hand === 1, onclick: () => change({ hand: found.hand - 1 }) }, "Hand before"),
        h("b", { id: "duel-hand" }, `Hand ${found.hand}`), h("button", { class: "button", type: "button", id: "duel-next", disabled: found.is_last, onclick: () => change({ hand: found.hand + 1 }) }, "Next hand")),
      h("div", { class: "felt" }, seat(0), seat(1), found.board.length ? h("div", {}, h("span", { class: "small" }, "board"), handOf(found.board)) : null),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What happened" }, table("o: the network's output; p: the equity it saw against a random hand", ["what happened", "pot before", "it could", "why"], found.events.map((each) => [each.text, each.pot === undefined ? "" : each.pot.toLocaleString("en"), each.legal ?? "", each.why ?? ""]))));
  }
}
