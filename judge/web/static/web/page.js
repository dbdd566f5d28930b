/* Small things on every page: theme, copy buttons, menus, toast, the reader's time zone. Pages read well without it. */
(() => {
  "use strict";
  const all = (query, element = document) => [...element.querySelectorAll(query)];
  const root = document.documentElement;
  const systemDark = matchMedia("(prefers-color-scheme: dark)");

  for (const button of all("[data-theme-toggle]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const now = root.dataset.theme || (systemDark.matches ? "dark" : "light");
      root.dataset.theme = now === "dark" ? "light" : "dark";
      try { localStorage.setItem("palfrey-theme", root.dataset.theme); } catch { /* the choice holds for this page */ }
    });
  }

  const box = document.querySelector(".toast");
  let fading = 0;
  const toast = text => {
    box.textContent = text;
    box.classList.add("on");
    clearTimeout(fading);
    fading = setTimeout(() => box.classList.remove("on"), 4000);
  };

  document.addEventListener("click", async event => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      toast(button.dataset.copied);
    } catch {
      toast(button.dataset.refused);
    }
  });

  for (const menu of all(".menu")) {
    menu.addEventListener("keydown", event => {
      if (event.key !== "Escape") return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
    document.addEventListener("click", event => { if (!menu.contains(event.target)) menu.open = false; });
  }

  for (const here of all(".bar nav [aria-current], .tabs [aria-current]")) {
    here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 24;
  }

  /* The server writes times in this zone from the next page on. */
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = `zone=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;

  window.palfrey = Object.assign(window.palfrey || {}, { toast });
})();
