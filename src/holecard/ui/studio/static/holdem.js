// Hold'em: exact equities on the grid of starting hands, the charts of push or fold, duels, a seat at the table.

import { ask, drop } from "./lib/api.js";
import { get, set } from "./lib/address.js";
import { hand as handOf } from "./lib/cards.js";
import { h, show } from "./lib/dom.js";
import { Grid } from "./lib/grid.js";
import { openDuel } from "./lib/duel.js";
import { openSitting } from "./lib/sitting.js";
import { percent, plain, signed } from "./lib/say.js";

const PAUSE = 300; // milliseconds without a key before an answer is asked for

export async function open(main) {
  const place = Object.fromEntries(["figures", "problem", "gridproblem", "point", "same", "pushfigures", "pushproblem", "pushpoint", "pushsame"].map((name) => [name, h("div", { id: `holdem-${name}` })]));
  const known = { equity: null, grid: null, push: null };
  let waiting;
  let pushWaiting;

  const field = (id, value, more) => h("input", { type: "text", id, value, autocomplete: "off", spellcheck: "false", maxlength: "1500", ...more });
  const mine = field("holdem-mine", get("mine", "AhKh"));
  const against = field("holdem-against", get("against", "random"));
  const board = field("holdem-board", get("board"), { placeholder: "none, or 2c7h9s" });
  const number = (id, value, high) => h("input", { type: "number", id, value, min: "0", max: high, step: "0.1" });
  const stack = number("holdem-stack", get("stack", "10"), "10000");
  const ante = number("holdem-ante", get("ante", "0"), "1000");
  const grid = new Grid("Equity of every starting hand; choose hands to paint your range", { onpoint: point, onchoose: toggle });
  const pushes = new Grid("The small blind pushes", { onpoint: pointPush });
  const calls = new Grid("The big blind calls a push", { onpoint: pointPush });
  const choices = ask("holdem/players");
  const seat = openSitting(choices);
  const labelled = (text, input) => h("label", {}, h("span", { class: "small muted" }, text), input);

  show(main, h("div", { class: "holdem-page" },
    h("section", { class: "panel", "aria-labelledby": "equity-title" },
      h("h2", { id: "equity-title" }, "Equity"),
      h("div", { class: "row fields" }, labelled("Your hand or range", mine), labelled("Against", against), labelled("Board", board)),
      h("p", { class: "small muted" }, "A hand is AhKh, a range is QQ+,AKs,TT-77,A5s-A2s,KQo, any hand is random. Paint your range on the grid."),
      place.problem, h("div", { "aria-live": "polite" }, place.figures), place.same),
    h("section", { class: "panel grid-panel", "aria-labelledby": "grid-title" },
      h("h2", { id: "grid-title" }, "Every starting hand against the same"),
      place.gridproblem, grid.node, place.point),
    h("section", { class: "panel push-panel", "aria-labelledby": "push-title" },
      h("h2", { id: "push-title" }, "Push or fold"),
      h("div", { class: "row fields" }, labelled("Stack, big blinds", stack), labelled("Ante, big blinds", ante)),
      place.pushproblem, h("div", { "aria-live": "polite" }, place.pushfigures),
      h("div", { class: "two-grids" },
        h("div", {}, h("h3", {}, "The small blind pushes"), pushes.node),
        h("div", {}, h("h3", {}, "The big blind calls a push"), calls.node)),
      place.pushpoint, place.pushsame),
    seat.node, openDuel(choices)));

  for (const input of [mine, against, board]) input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(change, PAUSE); });
  for (const input of [stack, ante]) input.addEventListener("input", () => { clearTimeout(pushWaiting); pushWaiting = setTimeout(changePush, PAUSE); });

  function change() {
    set({ mine: mine.value === "AhKh" ? null : mine.value, against: against.value === "random" ? null : against.value, board: board.value });
    const spot = { against: against.value, board: board.value };
    place.figures.classList.add("waiting");
    ask("holdem/equity", { ...spot, mine: mine.value }).then(showEquity, (problem) => refuse(place.problem, mine, problem, () => { known.equity = null; show(place.figures); show(place.same); grid.paint({}); place.figures.classList.remove("waiting"); }));
    grid.node.classList.add("waiting");
    ask("holdem/grid", spot).then(showGrid, (problem) => refuse(place.gridproblem, against, problem, () => { known.grid = null; grid.colour(() => null); grid.node.classList.remove("waiting"); }));
  }

  function refuse(where, input, problem, then) {
    show(where, h("p", { class: "problem" }, problem.message));
    input.setAttribute("aria-invalid", "true");
    then();
  }

  function showEquity(found) {
    known.equity = found;
    show(place.problem);
    mine.removeAttribute("aria-invalid");
    place.figures.classList.remove("waiting");
    const share = (name) => h("span", { class: `share ${name}`, vars: { "--share": String(found.shares[name]) } }, h("b", {}, name), ` ${percent(found.shares[name], 3)}`);
    show(place.figures,
      found.hole || found.board.length ? h("div", { class: "felt" },
        found.hole ? h("div", {}, h("span", { class: "small" }, "your hand"), handOf(found.hole)) : null,
        found.board.length ? h("div", {}, h("span", { class: "small" }, "board"), handOf(found.board)) : null) : null,
      h("dl", { class: "figures" },
        h("div", { class: "first" }, h("dt", {}, "Equity"), h("dd", { id: "equity" }, percent(found.equity, 4))),
        ["win", "tie", "lose"].map((name) => h("div", {}, h("dt", {}, name), h("dd", { id: `equity-${name}` }, found[name].toLocaleString("en"))))),
      h("div", { class: "shares" }, ["win", "tie", "lose"].map(share)),
      h("p", { class: "small muted words" }, `Exact. Your range: ${hands(found.mine)}. Theirs: ${hands(found.against)}.`));
    show(place.same, found.options ? h("p", { class: "small muted same" }, "The same on the command line: ", h("code", {}, `holecard holdem equity ${found.options}`)) : null);
    grid.paint(found.mine.painted);
  }

  const hands = (range) => `${range.hands.toLocaleString("en")} of 1,326 hands (${percent(range.share, 1)})`;

  function showGrid(found) {
    known.grid = found;
    show(place.gridproblem);
    against.removeAttribute("aria-invalid");
    grid.node.classList.remove("waiting");
    grid.build(found.names);
    grid.colour((name) => found.hands[name]?.equity ?? null, (name) => percent(found.hands[name].equity, 1).replace(" %", ""));
    if (known.equity) grid.paint(known.equity.mine.painted);
    point(place.point.dataset.hand || "AA");
  }

  function point(name) {
    place.point.dataset.hand = name;
    const found = known.grid?.hands[name];
    show(place.point, h("p", { class: "small at" }, h("b", {}, name), found ? ` equity ${percent(found.equity, 4)}: win ${percent(found.shares.win, 3)}, tie ${percent(found.shares.tie, 3)}, lose ${percent(found.shares.lose, 3)}` : " cannot be held here"));
  }

  function toggle(name) {
    const parts = { ...(known.equity?.mine.parts ?? {}) };
    const whole = known.equity?.mine.painted[name] === 1;
    delete parts[name];
    if (!whole) parts[name] = [name];
    mine.value = Object.values(parts).flat().join(",");
    change();
  }

  async function changePush() {
    set({ stack: stack.value === "10" ? null : stack.value, ante: ante.value === "0" ? null : ante.value });
    try {
      const found = await ask("holdem/pushfold", { stack: stack.valueAsNumber, ante: ante.valueAsNumber });
      known.push = found;
      show(place.pushproblem);
      stack.removeAttribute("aria-invalid");
      for (const [chart, key] of [[pushes, "push"], [calls, "call"]]) {
        chart.build(found.names);
        chart.colour((name) => found[key][name], (name) => percent(found[key][name], 0).replace(" %", ""));
      }
      show(place.pushfigures, h("dl", { class: "figures" },
        h("div", { class: "first" }, h("dt", {}, "The small blind wins, big blinds a hand"), h("dd", { id: "push-value" }, signed(found.value, 6))),
        h("div", {}, h("dt", {}, "Pushes"), h("dd", { id: "push-share" }, percent(found.shares.push, 1))),
        h("div", {}, h("dt", {}, "Calls"), h("dd", { id: "call-share" }, percent(found.shares.call, 1)))),
      h("p", { class: "small muted words" }, `The equilibrium of ${found.words}; numbers in the grids are percent of the time.`));
      show(place.pushsame, h("p", { class: "small muted same" }, "The same on the command line: ", h("code", {}, `holecard holdem pushfold ${found.options} --detail`)));
      pointPush(place.pushpoint.dataset.hand || "AA");
    } catch (problem) {
      refuse(place.pushproblem, stack, problem, () => {});
    }
  }

  function pointPush(name) {
    place.pushpoint.dataset.hand = name;
    const found = known.push;
    if (!found) return;
    const line = (words, key) => `${words} ${percent(found[key][name], 1)} of the time, EV ${signed(found[`${key}_ev`][name], 4)}, the wrong choice costs ${plain(found[`${key}_cost`][name], 4)}`;
    show(place.pushpoint, h("p", { class: "small at" }, h("b", {}, name), ` ${line("pushes", "push")}; ${line("calls", "call")} (big blinds).`));
  }

  change();
  changePush();
  return () => { seat.close(); clearTimeout(waiting); clearTimeout(pushWaiting); for (const each of ["equity", "grid", "pushfold", "players", "duel", "duelcosts", "place", "sit", "sitcosts"]) drop(`holdem/${each}`); };
}
