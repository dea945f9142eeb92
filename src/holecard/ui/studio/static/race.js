// Race: begin a race, watch its parts, read its table and its report's pictures.

import { ask, download, listen, picture } from "./lib/api.js";
import { get, set } from "./lib/address.js";
import { h, radios, show, table } from "./lib/dom.js";
import { complain, percent, plain, signed, tell } from "./lib/say.js";

const EVERY = 5000;
const PARTS = { finished: "✓", working: "●", waiting: "○" };
const KINDS = [
  { value: "race", label: "Strategies", rules: "casino", about: "Solve, evolve, train and search for strategies of one game; judge all by exact values." },
  { value: "count race", label: "Counters", rules: "S17 INS", about: "Counters on the same shoes: EV, SCORE and each one's share of what the perfect counter reaches." },
];

export async function open(main) {
  const place = Object.fromEntries(["form", "command", "list", "shown"].map((name) => [name, h("div", { id: `race-${name}` })]));
  show(main, h("div", { class: "race-page" },
    h("div", { class: "stack" },
      h("section", { class: "panel", "aria-labelledby": "races-title" }, h("h2", { id: "races-title" }, "Races"), place.list),
      h("section", { class: "panel", "aria-labelledby": "begin-title" }, h("h2", { id: "begin-title" }, "Begin a race"), place.form, place.command)),
    h("section", { class: "panel", "aria-label": "The race" }, place.shown)));
  const form = { kind: "race", budget: "fast", rules: KINDS[0].rules, spread: "1:8", rounds: 50_000_000, shoes: 1200, seed: 0 };
  const watched = { race: "", stop: () => {}, addresses: [] };
  let timer = 0;

  function showForm() {
    const kind = KINDS.find(({ value }) => value === form.kind);
    const change = (name, value) => { form[name] = value; showCommand(); };
    const text = (name, words, more = {}) => h("label", { class: "field", ...more }, h("span", {}, words),
      h("input", { type: "text", id: `race-${name}`, value: form[name], maxlength: "400", spellcheck: "false", onchange: (event) => change(name, event.target.value) }));
    const number = (name, words, min, max) => h("label", { class: "field" }, h("span", {}, words),
      h("input", { type: "number", id: `race-${name}`, value: String(form[name]), min, max, step: "1", required: true, onchange: (event) => change(name, Number(event.target.value)) }));
    show(place.form, h("form", { class: "begin", onsubmit: begin },
      h("div", { class: "wide" }, radios("race-kind", "What races", KINDS, form.kind, (value) => { form.kind = value; form.rules = KINDS.find((each) => each.value === value).rules; showForm(); })),
      h("p", { class: "small muted wide" }, kind.about),
      form.kind === "race"
        ? h("div", { class: "wide" }, radios("race-budget", "How long", [{ value: "fast", label: "Fast: three minutes" }, { value: "full", label: "Full: a quarter of an hour" }], form.budget, (value) => change("budget", value))) : null,
      text("rules", "Rules", { class: "field wide" }),
      form.kind === "race" ? null : [text("spread", "Spread"), number("rounds", "Rounds", "1000000", "10000000000"), number("shoes", "Shoes solved", "100", "1000000")],
      number("seed", "Seed", "0", "9007199254740991"),
      h("button", { class: "button main wide", type: "submit" }, "Begin")));
    showCommand();
  }

  async function showCommand() {
    try {
      const { command } = await ask("race/command", form);
      show(place.command, h("p", { class: "small muted" }, "The same on the command line: ", h("code", { class: "breaks" }, command)));
    } catch (problem) {
      show(place.command, h("p", { class: "problem" }, problem.message));
    }
  }

  async function begin(event) {
    event.preventDefault();
    try {
      const { race } = await ask("race/start", form);
      tell(`${race} has begun; it goes on when you close this page`);
      select(race);
      list();
    } catch (problem) { complain(problem); }
  }

  async function list() {
    clearTimeout(timer);
    let found;
    try { found = await ask("race/races"); } catch (problem) { complain(problem); return; }
    const { races, folder } = found;
    show(place.list, races.length ? h("ul", { class: "races tall", tabindex: "0", "aria-label": "Races" }, races.map((each) => h("li", {},
      h("button", { type: "button", class: "race", "aria-pressed": String(each.race === watched.race), onclick: () => select(each.race) },
        h("b", {}, each.race), " ", h("span", { class: `state ${each.state}` }, each.state), h("span", { class: "small muted line" }, KINDS.find(({ value }) => value === each.kind).label)))))
      : h("p", { class: "muted" }, `No race lies in ${folder} yet.`));
    if (!watched.race) {
      if (races.length) select(get("race", races[0].race));
      else show(place.shown, h("p", { class: "muted" }, "A race is shown here once one has begun."));
    }
    timer = setTimeout(list, EVERY);
  }

  function forget() {
    watched.stop();
    for (const each of watched.addresses) URL.revokeObjectURL(each);
    watched.addresses = [];
  }

  function select(race) {
    forget();
    watched.race = race;
    set({ race });
    for (const node of place.list.querySelectorAll("button.race")) node.setAttribute("aria-pressed", String(node.querySelector("b").textContent === race));
    const part = Object.fromEntries(["head", "table", "parts", "pictures"].map((name) => [name, h("div", { class: `race-${name}` })]));
    show(place.shown, h("h2", {}, race), part.head, part.parts, part.table, part.pictures);
    watched.stop = listen("race/watch", { race }, (event) => {
      showHead(part.head, race, event);
      if (event.parts) showParts(part.parts, event);
      if (event.rows?.length) showStrategies(part.table, event);
      if (event.counters?.length) showCounters(part.table, event);
      if (event.pictures.length) showPictures(part.pictures, race, event.pictures);
    }, (problem) => { if (problem) show(part.head, h("p", { class: "problem" }, problem.message)); list(); });
  }

  function showHead(node, race, event) {
    const act = (name, words) => h("button", { class: "button", type: "button", onclick: async () => {
      try { await ask(`race/${name}`, { race }); setTimeout(() => { if (watched.race === race) select(race); }, 700); } catch (problem) { complain(problem); }
    } }, words);
    show(node, h("div", { class: "row" },
      h("span", { class: `state ${event.state}` }, event.state), h("span", {}, event.title || ""),
      event.state === "running" ? act("pause", "Pause") : event.state === "paused" ? act("resume", "Go on") : null,
      event.report ? h("button", { class: "button", type: "button", id: "race-report", onclick: () => download("race/report", { race }).catch(complain) }, "Save the report") : null),
    event.problem ? h("p", { class: "problem" }, event.problem) : null,
    event.done ? h("p", {}, `So far ${event.done}.`) : null,
    (event.notes || []).map((each) => h("p", { class: "small muted" }, `Left out: ${each}`)),
    event.command ? h("p", { class: "small muted" }, "Made by ", h("code", { class: "breaks" }, event.command)) : null);
  }

  function showParts(node, { parts, state }) {
    const done = parts.filter((each) => each.state === "finished").length;
    show(node, h("progress", { max: String(parts.length || 1), value: String(done), "aria-label": "Parts that are finished" }),
      h("details", { open: state !== "finished" }, h("summary", {}, `${done} of ${parts.length} parts are finished`),
        h("ol", { class: "parts" }, parts.map((each) => h("li", { class: each.state }, h("span", { class: "mark", "aria-hidden": "true" }, PARTS[each.state]), h("span", {}, each.title),
          h("span", { class: "small muted" }, each.seconds === null ? { working: "at work", waiting: "waits", finished: "" }[each.state] : `${plain(each.seconds, 1)} s`))))));
  }

  function showStrategies(node, { rows }) {
    show(node, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The table" }, table("Best first; EVs in bets a round", ["strategy", "EV", "± s.e.", "regret", "to perfect", "used", "CPU s", "costliest leaks"],
      rows.map((row) => [row.name, signed(row.ev, 6), row.exact ? "exact" : plain(row.stderr, 6), plain(row.regret, 6), percent(row.share, 2), row.used, plain(row.seconds, 1), { text: row.leaks, class: "leaks" }]))));
  }

  function showCounters(node, { counters }) {
    show(node, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The table" }, table("EVs in lowest bets a round; the share is that of the perfect counter's SCORE", ["counter", "EV", "± s.e.", "average bet", "SCORE", "± s.e.", "share", "± s.e."],
      counters.map((each) => [each.name, signed(each.ev, 5), plain(each.stderr, 5), plain(each.average_bet, 2), plain(each.score, 2), plain(each.score_stderr, 2), percent(each.share, 1), percent(each.share_stderr, 1)]))));
  }

  async function showPictures(node, race, names) {
    const frames = names.map((name) => h("figure", {}, h("figcaption", { class: "small muted" }, name.replaceAll("-", " "))));
    show(node, h("h3", {}, "The report's pictures"), h("div", { class: "pictures" }, frames));
    for (const [at, name] of names.entries()) {
      if (watched.race !== race || !frames[at].isConnected) return;
      try {
        const address = await picture("race/picture", { race, name });
        watched.addresses.push(address);
        frames[at].prepend(h("a", { href: address, target: "_blank", rel: "noopener" }, h("img", { src: address, alt: name.replaceAll("-", " ") })));
      } catch (problem) { frames[at].prepend(h("p", { class: "problem" }, problem.message)); }
    }
  }

  showForm();
  await list();
  return () => { clearTimeout(timer); forget(); };
}
