// The state of a page, kept in the address: it can be shared, kept as a bookmark, and walked back through.

/** A value of the address, or what stands for it. */
export function get(name, otherwise = "") {
  return new URLSearchParams(location.search).get(name) ?? otherwise;
}

/** Change values; null or an empty text removes one. With {push: true} the back button undoes it. */
export function set(values, { push = false } = {}) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  query.delete("token");
  const address = `${location.pathname}${query.size ? `?${query}` : ""}`;
  if (address !== `${location.pathname}${location.search}`) history[push ? "pushState" : "replaceState"](null, "", address);
}

/** The address of a page with such a state, for links between pages. */
export function to(page, values = {}) {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value));
  return `/${page}${query.size ? `?${query}` : ""}`;
}
