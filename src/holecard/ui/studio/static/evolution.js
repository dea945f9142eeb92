// Evolution: begin a run, watch it learn, pause it, go on with it, set runs side by side.

import { ask, listen } from "./lib/api.js";
import { get, set, to } from "./lib/address.js";
import { Chart, legend } from "./lib/chart.js";
import { h, show, table } from "./lib/dom.js";
import { plot } from "./lib/plot.js";
import { complain, percent, signed, tell } from "./lib/say.js";

const COLOURS = ["--curve-1", "--curve-2", "--curve-3", "--curve-4"];
const STATES = { starting: "starting", running: "running", paused: "paused", finished: "finished" };
const EVERY = 4000;

export async function open(main) {
  const place = Object.fromEntries(["form", "command", "list", "run", "compare"].map((name) => [name, h("div", { id: `evolution-${name}` })]));
  show(main, h("div", { class: "evolution-page" },
    h("div", { class: "stack left" },
      h("section", { class: "panel", "aria-labelledby": "runs-title" }, h("h2", { id: "runs-title" }, "Runs"), place.list),
      h("section", { class: "panel", "aria-labelledby": "begin-title" }, h("h2", { id: "begin-title" }, "Begin a run"), place.form, place.command)),
    h("div", { class: "stack" },
      h("section", { class: "panel", "aria-labelledby": "compare-title", hidden: true }, h("h2", { id: "compare-title" }, "Side by side"), place.compare),
      h("section", { class: "panel", "aria-label": "The run" }, place.run))));

  const { studies } = await ask("evolution/choices");
  const form = { study: studies[0], preset: "", values: {}, rules: "" };
  const watched = { stop: () => {}, plots: [], run: "" };
  const compared = new Set(get("with").split(",").filter(Boolean));
  let timer = 0;
  let beside = null; // the plot of runs side by side: it stays when another run is chosen

  function choose(study) {
    Object.assign(form, { study, preset: study.presets[0] || "", values: {}, rules: study.rules || "" });
    showForm();
  }

  function showForm() {
    const { study } = form;
    const select = (label, id, options, chosen, onchange) => h("label", { class: "field" }, h("span", {}, label),
      h("select", { id, onchange: (event) => onchange(event.target.value) }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
    show(place.form, h("form", { class: "begin", onsubmit: begin },
      select("What evolves", "begin-study", studies.map((each) => [each.study, each.title]), study.study, (name) => choose(studies.find((each) => each.study === name))),
      h("p", { class: "small muted wide" }, study.about),
      study.presets.length ? select("Preset", "begin-preset", study.presets.map((each) => [each, each]), form.preset, (name) => { form.preset = name; form.values = {}; showForm(); }) : null,
      study.rules ? h("label", { class: "field" }, h("span", {}, "Rules"), h("input", { type: "text", id: "begin-rules", value: form.rules, maxlength: "400", spellcheck: "false", onchange: (event) => { form.rules = event.target.value; showCommand(); } })) : null,
      study.settings.map((each) => field(each)),
      h("button", { class: "button main wide", type: "submit" }, "Begin")));
    showCommand();
  }

  function field({ name, title, help, choices, low, high, whole }) {
    const usual = form.study.starts[form.preset][name];
    const change = (value) => { form.values[name] = value; showCommand(); };
    const input = choices.length
      ? h("select", { onchange: (event) => change(event.target.value) }, choices.map((each) => h("option", { value: each, selected: each === usual }, each)))
      : h("input", { type: "number", value: String(usual), min: low, max: high, step: whole ? "1" : "any", required: true, onchange: (event) => change(event.target.value === "" ? null : Number(event.target.value)) });
    return h("label", { class: "field", title: help }, h("span", {}, title), input);
  }

  const asked = () => ({ study: form.study.study, preset: form.preset, rules: form.rules, settings: form.values });

  async function showCommand() {
    try {
      const { command } = await ask("evolution/command", asked());
      show(place.command, h("p", { class: "small muted" }, "The same on the command line: ", h("code", { class: "breaks" }, command)));
    } catch (problem) {
      show(place.command, h("p", { class: "problem" }, problem.message));
    }
  }

  async function begin(event) {
    event.preventDefault();
    try {
      const { run } = await ask("evolution/start", asked());
      tell(`${run} has begun; it goes on when you close this page`);
      setTimeout(() => { select(run); list(); }, 300);
    } catch (problem) { complain(problem); }
  }

  async function list() {
    clearTimeout(timer);
    let found;
    try { found = await ask("evolution/runs"); } catch (problem) { complain(problem); return; }
    const { runs, folder } = found;
    show(place.list, runs.length ? h("ul", { class: "runs tall", tabindex: "0", "aria-label": "Runs" }, runs.map((each) => h("li", { class: each.run === watched.run ? "chosen" : "" },
      h("button", { type: "button", class: "link run", "aria-pressed": String(each.run === watched.run), onclick: () => select(each.run) },
        h("b", {}, each.run), " ", h("span", { class: `state ${each.state}` }, STATES[each.state] || "damaged"),
        h("span", { class: "small muted line" }, each.state === "starting" ? "the first generation is on its way" : each.state ? `${each.title}: ${each.generation} of ${each.generations} generations${each.best === null || each.best === undefined ? "" : `, best ${signed(each.best, 4)}`}` : each.problem)),
      h("label", { class: "small" }, h("input", { type: "checkbox", checked: compared.has(each.run), "aria-label": `compare ${each.run}`, onchange: (event) => { if (event.target.checked) compared.add(each.run); else compared.delete(each.run); set({ with: [...compared].join(",") }); compare(); } }), "compare"))))
      : h("p", { class: "muted" }, `No run lies in ${folder} yet.`));
    if (!watched.run && runs.length) select(get("run", runs[0].run));
    timer = setTimeout(list, EVERY);
  }

  function select(run) {
    watched.stop();
    for (const each of watched.plots) each.close();
    Object.assign(watched, { run, plots: [], series: null });
    set({ run });
    const parts = Object.fromEntries(["head", "curves", "latest", "winner"].map((name) => [name, h("div", { class: `run-${name}` })]));
    show(place.run, h("h2", {}, run), parts.head, parts.curves, parts.latest, parts.winner);
    for (const node of place.list.querySelectorAll("li")) node.classList.toggle("chosen", node.querySelector("b")?.textContent === run);
    const xs = [], ys = [];
    let drawn = null, drawing = null;
    watched.stop = listen("evolution/watch", { run }, async (event) => {
      showHead(parts.head, run, event, xs.length + event.curves.generation.length);
      xs.push(...event.curves.generation);
      event.curves.series.forEach((each, at) => { (ys[at] ||= []).push(...each.values); });
      if (xs.length && !drawing) {
        drawing = plot(parts.curves, { xs, series: event.curves.series.map((each, at) => ({ label: each.label, values: ys[at], colour: COLOURS[at % COLOURS.length], dashed: at > 1 })), xLabel: "generation", whole: true, yLabel: "fitness", height: 280 });
        drawn = await drawing;
        if (watched.run === run) watched.plots.push(drawn); else drawn.close();
      }
      drawn?.update(xs, ys);
      if (event.latest) showLatest(parts.latest, event.latest);
      if (event.state === "finished") showWinner(parts.winner, run);
    }, (problem) => { if (problem) show(parts.head, h("p", { class: "problem" }, problem.message)); list(); });
  }

  function showHead(node, run, event, done) {
    const act = (name, text) => h("button", { class: "button", type: "button", onclick: async () => {
      try { await ask(`evolution/${name}`, { run }); setTimeout(() => { select(run); list(); }, 700); } catch (problem) { complain(problem); }
    } }, text);
    show(node, h("div", { class: "row" },
      h("span", { class: `state ${event.state}` }, STATES[event.state]),
      h("span", {}, event.state === "starting" ? "the first generation is on its way" : `${done} of ${event.generations} generations`),
      event.state === "running" ? act("pause", "Pause") : event.state === "paused" ? act("resume", "Go on") : null),
    h("progress", { max: String(event.generations || 1), value: String(done), "aria-label": "Generations" }),
    event.problem ? h("p", { class: "problem" }, event.problem) : null);
  }

  function showLatest(node, latest) {
    if (latest.chart) {
      if (!node.chart) {
        const grid = h("div", {});
        node.says = h("div", {});
        show(node, h("h3", {}, "What most of them play"), h("p", { class: "small muted" }, "A frame marks cells on which fewer than three in four agree."), h("div", { class: "chart-place" }, grid), node.says);
        node.chart = new Chart(grid, { label: "Consensus" });
      }
      node.chart.update(latest.chart, Object.fromEntries(latest.letters.map(({ letter, word }) => [letter, word])));
      node.chart.mark(new Map(Object.keys(latest.unsure).map((cell) => [cell, "unsure"])));
      show(node.says, legend(latest.letters), latest.tags ? h("div", { class: "scroll" }, table("What the best counter counts for each card", ["card", ...latest.tags.map(({ card }) => card)],
        [["best", "the best"], ["mean", "all, on average"], ["hi_lo", "Hi-Lo"]].map(([key, words]) => [words, ...latest.tags.map((each) => signed(each[key], key === "mean" ? 1 : 0))]))) : null);
    } else if (latest.opponents) {
      const style = latest.style;
      show(node, h("div", { class: "scroll" }, table("The best of the generation: what it takes from each opponent", ["opponent", "buy-ins", "of best", "sessions won", "lost"],
        latest.opponents.map((each) => [each.opponent, signed(each.earnings, 2), each.of_best === null ? "–" : percent(each.of_best, 1), String(each.won), String(each.lost)]))),
      h("dl", { class: "figures" }, [["vpip", "VPIP"], ["pfr", "PFR"], ["wsd", "went to showdown"], ["wsdw", "won there"]].map(([key, words]) =>
        h("div", {}, h("dt", {}, words), h("dd", {}, percent(style[key], 1))))));
    }
  }

  async function showWinner(node, run) {
    let found;
    try { found = await ask("evolution/winner", { run }); } catch (problem) { complain(problem); return; }
    if (found.chart) {
      const grid = h("div", {});
      show(node, h("h3", {}, "The winner"), h("div", { class: "chart-place" }, grid), legend(found.letters),
        h("p", {}, h("a", { class: "button", "data-link": true, href: to("chart", { rules: found.rules, strategy: `run:${run}` }) }, "Look at its leaks")),
        found.counter ? h("details", {}, h("summary", {}, "How it counts, departs and bets: a file for holecard watch, count ramp and count drill"), h("pre", { class: "scroll small", tabindex: "0" }, found.counter)) : null,
        found.programs ? h("details", {}, h("summary", {}, "Its ten programs"), h("ol", { class: "programs" }, found.programs.map(({ upcard, tree }) => h("li", {}, h("b", {}, `Against ${upcard}`), h("ul", { class: "tree" }, branch(tree)))))) : null);
      new Chart(grid, { label: "The winner" }).update(found.chart, Object.fromEntries(found.letters.map(({ letter, word }) => [letter, word])));
    } else if (found.champion) {
      const { scores } = found.champion;
      show(node, h("h3", {}, "The champion, on fresh cards"), scores.length ? h("div", { class: "scroll" }, table(null, ["opponent", "mBB a hand", "95 % from", "to", "of best", "hands"],
        scores.map((each) => [each.opponent, signed(each.value, 0), signed(each.low, 0), signed(each.high, 0), percent(each.of_best, 1), each.hands.toLocaleString("en")]))) : null,
      h("p", { class: "small muted" }, "Bred by ", h("code", { class: "breaks" }, found.champion.command)));
    }
  }

  const branch = ({ name, parts }) => h("li", {}, name, parts.length ? h("ul", {}, parts.map(branch)) : null);

  async function compare() {
    const section = place.compare.parentNode;
    section.hidden = compared.size < 2;
    if (compared.size < 2) return;
    let found;
    try { found = await ask("evolution/compare", { runs: [...compared].slice(0, 8) }); } catch (problem) { complain(problem); return; }
    const longest = Math.max(...found.runs.map(({ curves }) => curves.generation.at(-1) || 0));
    const xs = Array.from({ length: longest }, (_, at) => at + 1);
    const values = ({ curves }, name) => {
      const by = new Map(curves.generation.map((each, at) => [each, curves.series.find((one) => one.name === name)?.values[at] ?? null]));
      return xs.map((each) => by.get(each) ?? null);
    };
    const drawn = h("div", {});
    show(place.compare, drawn, h("div", { class: "scroll" }, table("Where they stand", ["run", "study", "generations", "best"], found.runs.map((each) => [each.run, each.title, `${each.generation} of ${each.generations}`, signed(each.best, 5)]))));
    const made = await plot(drawn, { xs, height: 260, xLabel: "generation", whole: true, yLabel: "best",
      series: found.runs.map((each, at) => ({ label: each.run, colour: COLOURS[at % COLOURS.length], dashed: at >= COLOURS.length, values: values(each, each.curves.series.some((one) => one.name === "exact") ? "exact" : "best") })) });
    beside?.close();
    beside = made;
  }

  choose(studies[0]);
  await list();
  compare();
  return () => { clearTimeout(timer); watched.stop(); beside?.close(); for (const each of watched.plots) each.close(); };
}
