// Light or dark as the system has it, unless somebody chose. A classic script: it runs before the first paint.
(() => {
  const root = document.documentElement;
  let chosen = null;
  try { chosen = localStorage.getItem("holecard-theme"); } catch { /* storage may be forbidden */ }
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("holecard-theme", root.dataset.theme); } catch { /* it holds for this page then */ }
      dispatchEvent(new Event("themechange"));
    });
  });
})();
