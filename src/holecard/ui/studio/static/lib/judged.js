// What the best response would have done, and how a network's memory has moved. The server says both; here they are drawn.

import { h, s } from "./dom.js";
import { plain, signed } from "./say.js";

const WIDTH = 320;
const HEIGHT = 48;
const EDGE = 3;

/** A curve of a few numbers by hand, with words for who cannot see it; nulls leave it as it was. */
export function spark(values, words, { zero = true } = {}) {
  const known = values.map((each, at) => [at, each]).filter(([, each]) => each !== null);
  const low = Math.min(...known.map(([, each]) => each), ...(zero ? [0] : []));
  const high = Math.max(...known.map(([, each]) => each), low + 1e-9);
  const x = (at) => EDGE + (WIDTH - 2 * EDGE) * (values.length > 1 ? at / (values.length - 1) : 1);
  const y = (each) => HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * ((each - low) / (high - low));
  const points = known.map(([at, each]) => `${x(at).toFixed(1)},${y(each).toFixed(1)}`);
  const [lastAt, last] = known.at(-1);
  return s("svg", { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMinYMid meet", role: "img", "aria-label": words },
    zero ? s("line", { x1: EDGE, x2: WIDTH - EDGE, y1: y(0), y2: y(0), class: "base" }) : null,
    s("polyline", { points: points.join(" ") }), s("circle", { cx: x(lastAt), cy: y(last), r: 2.5 }));
}

/** How a network's memory moved: what it remembers of its opponent, by hand. */
export function memory(name, found) {
  if (!found) return null;
  return h("figure", { class: "memory" }, h("figcaption", { class: "small" }, h("b", {}, `${name}'s memory. `), found.words),
    spark(found.opponent, `Distance of what ${name} remembers of its opponent from the session's beginning, by hand`),
    h("p", { class: "small muted" }, "What it remembers of its opponent, by hand: the line below is the beginning of the session."));
}

/** A verdict as a cell: the best action and the cost, every action's value when it is opened. */
export function verdict(found) {
  if (!found) return h("span", { class: "small muted" }, "…");
  if (!found.known) return h("span", { class: "small muted" }, "not known");
  const mark = (each) => [each.best ? "best" : null, each.taken ? "taken" : null].filter(Boolean).join(", ");
  return h("details", { class: `verdict ${found.good ? "as-good" : "costs"}` },
    h("summary", {}, found.good ? `✓ ${found.best}` : `✗ ${found.best}, costs ${plain(found.cost, 3)} BB`),
    h("p", { class: "small" }, `${found.words}.`),
    h("ul", { class: "small values" }, found.values.map((each) => h("li", {}, h("span", {}, each.action), ` ${signed(each.value, 4)} BB`, mark(each) ? h("b", {}, ` ${mark(each)}`) : null))));
}

/** Why verdicts are missing, each reason once. */
export const reasons = (verdicts) => [...new Set(Object.values(verdicts).filter((each) => !each.known).map((each) => `${each.words}.`))];

/** Where a network's memory stood at a decision; its output is the o of its reason. */
export const thought = (found) => (found ? `memory of the hand ${plain(found.game, 2)}, of the opponent ${plain(found.opponent, 2)} away from the beginning` : "");
