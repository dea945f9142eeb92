// Numbers as people read them, and what is said to them. No arithmetic of a game: only signs, digits and units.

const MINUS = "−";

const fixed = (value, digits) => value.toFixed(digits).replace("-", MINUS);

/** 0.5 → "+0.500"; a true minus, never "−0.000". */
export function signed(value, digits = 6) {
  if (value === null || value === undefined) return "–";
  const text = fixed(value, digits);
  const bare = text.replace(MINUS, "");
  if (Number(bare) === 0) return bare;
  return text.startsWith(MINUS) ? text : `+${text}`;
}

export const plain = (value, digits = 6) => (value === null || value === undefined ? "–" : fixed(value, digits));

/** A share as a percentage. */
export const percent = (value, digits = 3) => (value === null || value === undefined ? "–" : `${fixed(100 * value, digits)} %`);

/** A difference of EVs as a percentage of a bet, with its sign. */
export const signedPercent = (value, digits = 3) => (value === null || value === undefined ? "–" : `${signed(100 * value, digits)} %`);

/** "1 in 79 rounds" of a frequency. */
export function often(frequency) {
  if (!frequency) return "never";
  const rounds = 1 / frequency;
  return rounds < 1.5 ? "every round" : `once in ${rounds < 10 ? rounds.toFixed(1) : Math.round(rounds).toLocaleString("en")} rounds`;
}

/** A message at the foot of the page, read aloud; it goes by itself. */
export function tell(text, { bad = false } = {}) {
  const place = document.getElementById("messages");
  const line = document.createElement("p");
  line.textContent = text;
  line.className = bad ? "bad" : "";
  place.replaceChildren(line);
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => place.replaceChildren(), bad ? 12_000 : 4000);
}

/** What a promise that failed says to the user; others pass. */
export function complain(problem) {
  tell(problem.message || String(problem), { bad: true });
}
