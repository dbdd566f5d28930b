/* Keeps a moving part of a page up to date.

   [data-live] holds the address of the event stream, [data-read] that of the part itself. The stream only says "changed";
   what is shown is always read anew, so a missed event costs nothing: the part is read again when the link comes back,
   and by a timer whether or not there is a link. Only pieces that differ are put in, so that nothing jumps. */
(() => {
  "use strict";
  const OFTEN = 2000, SELDOM = 8000;

  function follow(place) {
    const streamAt = place.dataset.live, readAt = place.dataset.read;
    let stream = null, reading = false, again = false, timer = 0, stopped = false;
    const state = () => place.querySelector("[data-state]");
    /* Feedback may come after the verdict: the verdict is said when it is there, and what came after it at the end. */
    const judged = () => state() && (state().dataset.judged || state().dataset.final) === "yes";
    let told = judged();

    function stop() {
      stopped = true;
      clearTimeout(timer);
      if (stream) stream.close();
    }

    function later() {
      clearTimeout(timer);
      const linked = stream && stream.readyState === EventSource.OPEN;
      if (!stopped) timer = setTimeout(read, linked ? SELDOM : OFTEN);
    }

    async function read() {
      if (!place.isConnected) stop();
      if (stopped) return;
      if (reading) { again = true; return; }
      reading = true;
      try {
        const answer = await fetch(readAt, { headers: { "X-Fragment": "1" }, redirect: "error" });
        if (answer.ok) put(place, await answer.text());
        else if (answer.status === 403 || answer.status === 404) stop();
      } catch { /* no link: the timer tries again */ }
      reading = false;
      if (!told && judged()) { told = true; ended(place, state()); }
      if (state() && state().dataset.final === "yes") { stop(); more(state()); anew(); }
      else if (again) { again = false; read(); }
      else later();
    }

    if (!state() || state().dataset.final === "yes") return stop;
    if (window.EventSource && streamAt) {
      stream = new EventSource(streamAt);
      stream.onopen = read;
      stream.addEventListener("changed", read);
      stream.addEventListener("done", () => { stream.close(); read(); });
    }
    document.addEventListener("visibilitychange", () => { if (!document.hidden) read(); });
    later();
    return stop;
  }

  /* Replace what differs: by [data-part], and inside a list by item. */
  function put(place, html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-state]");
    const old = place.querySelector("[data-state]");
    if (!fresh) return;
    if (!old) { place.replaceChildren(document.importNode(fresh, true)); return; }
    for (const { name, value } of [...fresh.attributes]) old.setAttribute(name, value);
    const table = old.querySelector("[data-table]");
    if (table) table.hidden = fresh.querySelector("[data-table]").hidden;
    const parts = new Map([...fresh.querySelectorAll("[data-part]")].map(part => [part.dataset.part, part]));
    for (const part of [...old.querySelectorAll("[data-part]")]) {
      const next = parts.get(part.dataset.part);
      if (!next || next.isEqualNode(part)) continue;
      if (["OL", "TBODY"].includes(part.tagName) && part.children.length === next.children.length) {
        [...part.children].forEach((item, index) => {
          if (!item.isEqualNode(next.children[index])) item.replaceWith(document.importNode(next.children[index], true));
        });
      } else {
        part.replaceWith(document.importNode(next, true));
      }
    }
  }

  /* The verdict is said once, by title and to a screen reader; single cases are not. */
  function ended(place, state) {
    const say = document.querySelector("[data-announce]");
    if (say) say.textContent = state.dataset.say;
    if (place.dataset.title) document.title = `${state.dataset.word} ${place.dataset.title}`;
  }

  function more(state) {
    const say = document.querySelector("[data-announce]");
    if (say && state.dataset.more) say.textContent = `${say.textContent} ${state.dataset.more}`;
  }

  /* Once something has ended, what stands around it may say something else: each [data-anew] is put in from the page anew. */
  async function anew() {
    if (!document.querySelector("[data-anew]")) return;
    try {
      const answer = await fetch(location.href, { redirect: "error" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const old of document.querySelectorAll("[data-anew]")) {
        const fresh = page.querySelector(`[data-anew="${old.dataset.anew}"]`);
        if (!fresh || fresh.isEqualNode(old)) continue;
        const put = document.importNode(fresh, true);
        old.replaceWith(put);
        for (const place of put.querySelectorAll("[data-live]")) follow(place);
      }
    } catch { /* no link: the page stays as it is */ }
  }

  window.palfrey = Object.assign(window.palfrey || {}, { follow });
  for (const place of document.querySelectorAll("[data-live]")) follow(place);
})();
