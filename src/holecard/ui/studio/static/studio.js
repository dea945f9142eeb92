// The frame of all pages: which one is open, how one goes from one to another, and what they have in common.

import { h, show } from "./lib/dom.js";
import { complain } from "./lib/say.js";
import { set } from "./lib/address.js";

const main = document.getElementById("main");
const links = [...document.querySelectorAll("nav [data-name]")];
const loaded = new Map();
let leave = () => {};
let turn = 0;

function style(name) {
  if (loaded.has(name)) return loaded.get(name);
  const link = h("link", { rel: "stylesheet", href: `/static/${name}.css` });
  const ready = new Promise((resolve) => { link.onload = resolve; link.onerror = resolve; });
  document.head.append(link);
  loaded.set(name, ready);
  return ready;
}

async function open() {
  const name = location.pathname.slice(1) || links[0].dataset.name;
  const link = links.find((each) => each.dataset.name === name);
  if (!link) { location.reload(); return; }
  const mine = ++turn;
  try { leave(); } catch (problem) { console.error(problem); }
  leave = () => {};
  for (const each of links) {
    if (each === link) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  document.title = `${link.dataset.title} · Holecard studio`;
  document.body.dataset.page = name;
  link.parentNode.scrollLeft = link.offsetLeft - link.parentNode.offsetLeft - 40; // scrollIntoView would move where Tab begins
  const [module] = await Promise.all([import(`/static/${name}.js`), "styled" in link.dataset ? style(name) : null]);
  if (mine !== turn) return;
  const body = h("div", { class: "page" });
  show(main, h("div", { class: "heading" }, h("h1", {}, link.dataset.title), h("p", { class: "about" }, link.dataset.about)), body);
  const left = await module.open(body, { name });
  if (mine === turn) leave = left || (() => {});
  else left?.();
}

function go() {
  return open().catch(complain);
}

addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-link]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  go().then(() => main.focus({ preventScroll: true }));
  scrollTo(0, 0);
});
addEventListener("popstate", go);
set({});
go();
