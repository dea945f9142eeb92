// Playing cards of HTML and CSS. A card is two letters, rank and suit: "Ah", "Tc"; a rank alone has no suit.

import { h } from "./dom.js";

const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANKS = { A: "ace", T: "ten", J: "jack", Q: "queen", K: "king" };

/** A card face up, or its back for null. */
export function card(text, { small = false } = {}) {
  const size = small ? " small" : "";
  if (!text) return h("span", { class: `card back${size}`, role: "img", "aria-label": "a card face down" });
  const rank = text[0] === "1" ? "T" : text[0];
  const suit = text.at(-1);
  const face = rank === "T" ? "10" : rank;
  const named = SUITS[suit] && text.length > 1;
  return h("span", {
    class: `card${size}${suit === "h" || suit === "d" ? " red" : ""}`,
    role: "img",
    "aria-label": `${RANKS[rank] || rank}${named ? ` of ${NAMES[suit]}` : ""}`,
  }, h("b", {}, face), named ? h("i", {}, SUITS[suit]) : null);
}

/** Cards side by side. */
export const hand = (cards, options) => h("span", { class: "hand" }, cards.map((each) => card(each, options)));
