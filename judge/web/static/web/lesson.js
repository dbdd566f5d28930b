/* What is done in a lesson besides playing: choosing values, on the board too, and answering questions.
   Without this, the form loads the page anew and the answers stand behind a line that opens. */
(() => {
  "use strict";
  const all = (query, element = document) => [...element.querySelectorAll(query)];
  const OFTEN = 500, PATIENCE = 240;

  for (const figure of all("[data-figure]")) {
    figure.addEventListener("submit", event => {
      if (!event.target.matches("[data-choose]")) return;
      event.preventDefault();
      ask(figure, event.target);
    });
    figure.addEventListener("click", event => { if (event.target.closest("[data-pick]")) pick(figure); });
    prepare(figure);
  }

  function prepare(figure) {
    const button = figure.querySelector("[data-pick]");
    if (button && figure.querySelector("[data-player]")) button.hidden = !figure.querySelector("[data-click]");
  }

  async function ask(figure, form) {
    const values = new URLSearchParams(new FormData(form));
    const address = new URL(form.action);
    const note = figure.querySelector("[data-note]");
    if (figure.asking) return;
    figure.asking = true;
    try {
      let answer = await fetch(address, { method: "POST", body: values, headers: { "X-Fragment": "1" }, redirect: "error" });
      values.delete("csrfmiddlewaretoken");
      const again = `${address.pathname}?${values}`;
      for (let tries = 0; answer.ok && tries < PATIENCE; tries++) {
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-state]");
        if (fresh.dataset.final === "yes") { put(figure, fresh, form); break; }
        note.textContent = fresh.querySelector("[data-note]").textContent;
        await new Promise(done => setTimeout(done, OFTEN));
        answer = await fetch(again, { headers: { "X-Fragment": "1" }, redirect: "error" });
      }
      if (!answer.ok) form.submit();
    } catch {
      form.submit();
    } finally {
      figure.asking = false;
    }
  }

  /* A figure that could not be made leaves the one that is there; only the note is new. */
  function put(figure, fresh, form) {
    const said = fresh.querySelector("[data-note]").textContent;
    if (fresh.querySelector("[data-player]")) {
      const focus = form.contains(document.activeElement);
      figure.querySelector("[data-state]").replaceWith(document.importNode(fresh, true));
      window.palfrey.play(figure);
      prepare(figure);
      if (focus) figure.querySelector("[data-choose] [type=submit]").focus();
    }
    figure.querySelector("[data-note]").textContent = said;
  }

  /* Choose squares: fields that take a square's name are filled one after the other, row and column by one click. */
  function pick(figure) {
    const form = figure.querySelector("[data-choose]"), board = figure.querySelector("[data-show] svg");
    const note = figure.querySelector("[data-note]"), say = figure.querySelector("[data-pick]").dataset.say;
    const fields = all("[data-click]", form), named = fields.filter(field => field.dataset.click === "name");
    const rounds = named.length ? named.map(field => [field]) : [fields];
    const cells = all("[data-name]", board);
    const place = (row, column) => cells.find(cell => +cell.dataset.row === row && +cell.dataset.column === column);
    const label = field => form.querySelector(`label[for="${field.id}"]`).textContent;
    let round = 0;

    function invite() {
      note.textContent = say.replace("{label}", rounds[round].map(label).join(", "));
    }
    function end() {
      board.classList.remove("picking");
      board.setAttribute("aria-hidden", "true");
      for (const cell of cells) { cell.removeAttribute("tabindex"); cell.removeAttribute("role"); cell.removeAttribute("aria-label"); }
      board.removeEventListener("click", clicked);
      board.removeEventListener("keydown", pressed);
      note.textContent = "";
    }
    function choose(cell) {
      for (const field of rounds[round]) field.value = cell.dataset[field.dataset.click];
      if (rounds[round].some(field => field.selectedIndex < 0)) return;
      if (++round < rounds.length) { invite(); return; }
      end();
      form.requestSubmit();
    }
    function clicked(event) {
      const cell = event.target.closest("[data-name]");
      if (cell) choose(cell);
    }
    function pressed(event) {
      const cell = event.target.closest("[data-name]");
      if (event.key === "Escape") { end(); figure.querySelector("[data-pick]").focus(); return; }
      if (!cell) return;
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(cell); return; }
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = place(+cell.dataset.row + step[0], +cell.dataset.column + step[1]);
      if (next) { cell.tabIndex = -1; next.tabIndex = 0; next.focus(); }
    }

    board.classList.add("picking");
    board.removeAttribute("aria-hidden");
    for (const cell of cells) {
      cell.setAttribute("role", "button");
      cell.setAttribute("aria-label", cell.dataset.name);
      cell.setAttribute("tabindex", "-1");
    }
    const first = cells.find(cell => cell.dataset.name === rounds[0][0].value) || cells[0];
    first.setAttribute("tabindex", "0");
    board.addEventListener("click", clicked);
    board.addEventListener("keydown", pressed);
    invite();
    first.focus();
  }

  for (const quiz of all("[data-quiz]")) {
    const answer = quiz.querySelector("[data-answer]");
    quiz.querySelector("details").hidden = true;
    quiz.addEventListener("change", event => {
      const right = event.target.value === quiz.dataset.quiz;
      const note = document.createElement("p"), word = document.createElement("b");
      note.className = right ? "note good" : "note look";
      word.textContent = right ? answer.dataset.right : answer.dataset.wrong;
      const because = quiz.querySelector("[data-because]").cloneNode(true);
      note.append(word, " ", ...because.childNodes);
      answer.replaceChildren(note);
    });
    quiz.addEventListener("submit", event => event.preventDefault());
  }
})();
