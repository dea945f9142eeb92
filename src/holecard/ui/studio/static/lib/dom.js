// Elements without markup: text is always text.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "vars") for (const [key, each] of Object.entries(value)) node.style.setProperty(key, each);
    else if (name === "value" || name === "checked" || name === "disabled") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
}

/** An element: h("p", {class: "about", onclick: …, data: {…}, vars: {"--width": "4"}}, "text", other elements). */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Put these in the place of what an element holds. */
export function show(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** A table with a caption, headings and rows; a cell is text, an element, or {text, class}. The first of a row heads it. */
export function table(caption, headings, rows, name = "plain") {
  const cell = (tag, each, more) => each !== null && typeof each === "object" && !(each instanceof Node)
    ? h(tag, { class: each.class, ...more }, each.text) : h(tag, more, each);
  return h("table", { class: name },
    caption ? h("caption", {}, caption) : null,
    headings ? h("thead", {}, h("tr", {}, headings.map((each) => cell("th", each, { scope: "col" })))) : null,
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((each, at) =>
      at === 0 ? cell("th", each, { scope: "row" }) : cell("td", each, {}))))));
}

/** Radio buttons that look like a switch: choices are {value, label, disabled, title}; onchoose gets the value. */
export function radios(name, label, choices, chosen, onchoose) {
  return h("div", { class: "switch", role: "radiogroup", "aria-label": label },
    choices.map(({ value, label: text, disabled, title }) => h("label", { class: "option", title },
      h("input", { type: "radio", name, value, checked: value === chosen, disabled, onchange: () => onchoose(value) }),
      h("span", {}, text))));
}

/** Do this after the next frame is on the screen: what is shown first is seen first. */
export const afterFrame = (then) => requestAnimationFrame(() => setTimeout(then, 0));
