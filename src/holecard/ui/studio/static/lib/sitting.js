// A seat at the hold'em table. The sitting is opponent, table, seed and your moves; the server deals, plays and judges.

import { ask } from "./api.js";
import { get, set } from "./address.js";
import { card, hand as handOf } from "./cards.js";
import { h, show } from "./dom.js";
import { memory, reasons, spark, thought, verdict } from "./judged.js";
import { plain, signed } from "./say.js";

const LONGEST = 6000; // characters of moves that an address holds
const chips = (value) => value.toLocaleString("en");
const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** The panel of your seat; `choices` promises who can be chosen. Returns {node, close}. */
export function openSitting(choices) {
  const state = { opponent: get("opponent", "champion:pokernet"), preset: get("table", "pokernet"), seed: Number(get("deal")) || 0, moves: get("moves"), seated: false, busy: false, found: null };
  const place = Object.fromEntries(["felt", "said", "actions", "problem", "figures", "told", "memory", "same"].map((name) => [name, h("div", { id: `sit-${name}` })]));
  place.said.setAttribute("role", "status");
  place.problem.setAttribute("role", "alert");
  const fields = h("div", { class: "row fields" });
  const node = h("section", { class: "panel push-panel sit-panel", "aria-labelledby": "sit-title" },
    h("h2", { id: "sit-title" }, "Your seat"), fields, place.problem, place.felt, place.said, place.actions, place.figures, place.told, place.memory, place.same);

  choices.then((known) => {
    const list = (name, label, options) => h("label", {}, h("span", { class: "small muted" }, label), h("select", { id: `sit-${name}`, onchange: (event) => { state[name] = event.target.value; } }, options.map((each) => h("option", { value: each.name ?? each, selected: (each.name ?? each) === state[name] }, each.words ? `${each.name}: ${each.words}` : each))));
    show(fields, list("opponent", "Against", known.players), list("preset", "Table", known.presets),
      h("button", { type: "button", class: "button main", id: "sit-down", onclick: sitDown }, "Sit down"));
    if (get("deal")) begin();
  }, (problem) => complain(problem));

  function sitDown() {
    if (state.busy) return;
    Object.assign(state, { seed: newSeed(), moves: "" });
    begin();
  }

  async function begin() {
    state.busy = true;
    show(place.said, "Your opponent takes its seat; a best response is worked out once, which takes up to a minute.");
    try {
      await ask("holdem/place", { opponent: state.opponent, preset: state.preset, seed: state.seed });
      state.busy = false;
      state.seated = true;
      await move("");
    } catch (problem) {
      state.busy = false;
      show(place.said);
      complain(problem);
    }
  }

  function complain(problem) {
    show(place.problem, h("p", { class: "problem" }, problem.message));
  }

  /** One move at a time: what is pressed while the server thinks is left out. */
  async function move(text) {
    if (state.busy || !state.seated) return;
    state.busy = true;
    const moves = state.moves + text;
    try {
      const found = await ask("holdem/sit", { opponent: state.opponent, preset: state.preset, seed: state.seed, moves });
      state.moves = moves;
      set({ opponent: state.opponent, table: state.preset, deal: String(state.seed), moves: moves.length <= LONGEST ? moves : null });
      show(place.problem);
      tell(found);
      judge(found);
    } catch (problem) {
      complain(problem);
    } finally {
      state.busy = false;
    }
  }

  function tell(found) {
    state.found = found;
    show(place.felt, felt(found));
    const last = found.events.at(-1).text;
    show(place.said, found.over ? result(found.net) : `${last}. Your turn: ${found.legal.words}.`);
    actions(found);
    figures(found);
    show(place.told, told(found));
    show(place.memory, memory(found.opponent, found.memory));
    show(place.same, found.command ? h("p", { class: "small muted same" }, "The same cards in the terminal: ", h("code", {}, found.command)) : null,
      state.moves.length > LONGEST ? h("p", { class: "small muted" }, "This sitting is too long for an address; it is kept in this tab.") : null);
  }

  const result = (net) => (net > 0 ? `You win ${chips(net)}.` : net < 0 ? `You lose ${chips(-net)}.` : "You break even.");

  function felt(found) {
    const seat = (at, name, cards) => h("div", { class: "seat", id: at === 0 ? "sit-mine" : "sit-theirs" },
      h("span", { class: "small" }, h("b", {}, name), found.button === at ? " · button" : ""), cards,
      h("span", { class: "small" }, `${chips(found.stacks[at])} behind`, found.bets[at] ? h("span", { class: "bet" }, ` ${chips(found.bets[at])} in front`) : ""));
    const hidden = h("span", { class: "hand" }, card(null), card(null));
    return h("div", { class: "felt sit-felt" },
      seat(1, found.opponent, found.theirs ? handOf(found.theirs) : hidden),
      h("div", { class: "middle" }, h("span", { class: "small" }, `${found.street} · pot `, h("b", { id: "sit-pot" }, chips(found.pot))), found.board.length ? handOf(found.board) : h("span", { class: "small" }, "no card on the board yet")),
      seat(0, "You", handOf(found.mine)));
  }

  function actions(found) {
    const before = document.activeElement?.closest?.("#sit-actions [data-key]")?.dataset.key;
    const button = (key, label, text, main) => h("button", { type: "button", class: `button${main ? " main" : ""}`, data: { key }, onclick: () => move(text) }, label, h("kbd", {}, key));
    if (found.over) {
      show(place.actions, found.is_last ? h("p", { id: "sit-end" }, "That was the last hand of this sitting.") : button("n", "Next hand", "n", true));
    } else {
      const legal = found.legal;
      const row = [legal.fold ? button("f", "Fold", "f") : null, button("c", legal.call, "c", true)];
      if (legal.most) row.push(raising(legal), button("a", `All-in ${chips(legal.most)}`, "a"));
      show(place.actions, h("div", { class: "row acts" }, row));
    }
    if (before) (place.actions.querySelector(`button[data-key="${before}"]`) ?? place.actions.querySelector(".main"))?.focus();
  }

  function raising(legal) {
    const to = h("input", { type: "number", id: "sit-to", min: String(legal.least), max: String(legal.most), step: "1", value: String(legal.least), "aria-label": "Raise to, chips", data: { key: "r" } });
    const raise = () => (Number.isInteger(to.valueAsNumber) && to.valueAsNumber >= 0 ? move(`r${to.valueAsNumber}`) : to.focus());
    return h("form", { class: "row raise", onsubmit: (event) => { event.preventDefault(); raise(); }, novalidate: true },
      h("button", { type: "submit", class: "button" }, "Raise to", h("kbd", {}, "r")), to,
      h("span", { class: "sizes", role: "group", "aria-label": "Sizes" }, legal.sizes.map((each) => h("button", { type: "button", class: "chip", onclick: () => { to.value = String(each.to); to.focus(); } }, `${each.word} ${chips(each.to)}`))));
  }

  function figures(found) {
    const totals = found.totals;
    const figure = (id, label, text) => h("div", {}, h("dt", {}, label), h("dd", { id }, text));
    show(place.figures, h("dl", { class: "figures" }, figure("sit-hand", "Hand", chips(found.hand)), figure("sit-hands", "Finished", chips(totals.hands)), figure("sit-chips", "Chips won", totals.chips > 0 ? `+${chips(totals.chips)}` : chips(totals.chips).replace("-", "−")),
      figure("sit-rate", "mBB/hand", totals.mbb === null ? "–" : `${signed(totals.mbb, 0)}${totals.stderr === null ? "" : ` ± ${plain(totals.stderr, 0)}`}`), figure("sit-away", "Given away in this hand, BB", "–")),
      totals.hands > 1 ? h("figure", { class: "memory" }, h("figcaption", { class: "small" }, "What you won, hand by hand, in big blinds."), spark(totals.by_hand, `Your result after each of ${totals.hands} hands, in big blinds: ${signed(totals.by_hand.at(-1), 1)} now`)) : null);
  }

  function told(found) {
    let decision = 0;
    const line = (each) => {
      if (each.pot === undefined) return h("li", {}, each.text);
      const at = String(decision++);
      const more = each.seat === 0 ? h("div", { data: { judged: at } }, verdict(null)) : h("span", { class: "small" }, each.why, each.thought ? h("span", { class: "small muted block" }, thought(each.thought)) : null);
      return h("li", { class: "decision" }, h("span", {}, each.text, h("span", { class: "small muted" }, ` into ${chips(each.pot)}`)), more);
    };
    return [h("p", { class: "small muted" }, `${found.unknown ? `What the best response would do is not known: ${found.unknown}.` : "Beside your decisions: what the best response does."} What your opponent saw is told once its cards lie open.`), h("ol", { class: "told" }, found.events.map(line)), h("p", { class: "small muted", id: "sit-reasons" })];
  }

  async function judge(found) {
    const spots = [...place.told.querySelectorAll("[data-judged]")];
    if (!spots.length) return;
    if (found.unknown) return spots.forEach((spot) => show(spot, verdict({ known: false })));
    try {
      const judged = await ask("holdem/sitcosts", { opponent: state.opponent, preset: state.preset, seed: state.seed, moves: state.moves });
      if (state.found !== found) return;
      for (const spot of spots) show(spot, verdict(judged.verdicts[spot.dataset.judged]));
      show(place.told.querySelector("#sit-reasons"), reasons(judged.verdicts).join(" "));
      show(place.figures.querySelector("#sit-away"), judged.given_away[0] === null ? "–" : plain(judged.given_away[0], 3));
    } catch (problem) {
      complain(problem);
    }
  }

  const typed = (event) => {
    if (!state.seated || event.target.matches("input:not(#sit-to), select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = place.actions.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (!found) return;
    event.preventDefault();
    if (found.matches("input")) { found.focus(); found.select(); } else found.click();
  };
  addEventListener("keydown", typed);
  return { node, close: () => removeEventListener("keydown", typed) };
}
