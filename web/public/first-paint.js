// Runs before the first paint, so that a dark page is never white for a moment.
(function () {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("dataagent.preferences") || "{}").state || {};
  } catch {
    // No storage, or somebody else's value: the system's choice holds.
  }
  const dark =
    kept.theme === "dark" ||
    (kept.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const root = document.documentElement;
  root.dataset.theme = dark ? "dark" : "light";
  root.style.colorScheme = root.dataset.theme;
  root.lang = kept.language || (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
})();
