/* Writing a file at the problem desk: an editor over programs, the statement shown as one types, Ctrl-S saves, and a
   word before what is not saved is left. Without this script the form saves and shows by itself, a page at a time. */
(() => {
  "use strict";
  const form = document.querySelector("[data-write]");
  if (!form) return;
  document.documentElement.classList.add("js");
  const area = form.querySelector("textarea"), unsaved = form.querySelector("[data-unsaved]");
  const shown = document.querySelector("[data-shown]"), save = form.querySelector("button[value=save]");
  const before = area.value, address = form.dataset.preview;
  let timer = 0, asking = null, sending = false;

  const changed = () => area.value !== before;
  function typed() {
    unsaved.textContent = changed() ? unsaved.dataset.words : "";
    if (!address) return;
    shown.classList.add("late");
    clearTimeout(timer);
    timer = setTimeout(show, 400);
  }

  async function show() {
    if (asking) asking.abort();
    const mine = asking = new AbortController();
    const data = new FormData();
    data.set("csrfmiddlewaretoken", form.querySelector("[name=csrfmiddlewaretoken]").value);
    data.set("text", area.value);
    data.set("name", document.querySelector("[data-file]").dataset.file);
    try {
      const answer = await fetch(address, { method: "POST", body: data, signal: mine.signal, redirect: "error" });
      const html = await answer.text();
      if (answer.ok) shown.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
      else if (answer.status === 413) shown.textContent = html;
      else if (answer.status === 429) { timer = setTimeout(show, 1000); return; }
      else return;
      shown.classList.remove("late");
    } catch { /* the next change tries again */ }
  }

  /* Prose stays in the plain field, with the browser's own spelling and undo; everything else gets the editor. */
  const editor = address || !window.palfreyEditor ? null : window.palfreyEditor.mount(area, {
    label: area.getAttribute("aria-label"), describedBy: "write-hint", nonce: form.dataset.nonce || form.nonce,
    run: () => save.click(), change: typed,
  });
  if (editor) editor.mode(form.dataset.mode);
  area.addEventListener("input", typed);

  function toLine(number) {
    if (editor) { editor.toLine(number); return; }
    const start = area.value.split("\n").slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start);
  }
  const asked = location.hash.match(/^#L(\d+)$/);
  if (asked) toLine(Number(asked[1]));
  document.addEventListener("click", event => {
    const link = event.target.closest("[data-line]");
    if (!link || !link.pathname.endsWith(`/${document.querySelector("[data-file]").dataset.file}`)) return;
    event.preventDefault();
    toLine(Number(link.dataset.line));
  });

  document.addEventListener("keydown", event => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s" || event.altKey || event.shiftKey) return;
    event.preventDefault();
    save.click();
  });
  form.addEventListener("submit", () => { sending = true; });
  window.addEventListener("pageshow", () => { sending = false; });
  window.addEventListener("beforeunload", event => { if (changed() && !sending) event.preventDefault(); });
})();
