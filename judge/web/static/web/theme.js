/* Runs before the first paint, so that a chosen theme does not flash. Without a choice the system's theme holds. */
document.documentElement.classList.add("js");
try {
  const chosen = localStorage.getItem("palfrey-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* storage refused: follow the system */ }
