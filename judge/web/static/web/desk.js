/* The desk of a problem: editor over the textarea, draft and language kept in this browser, files by drop, trial runs
   without leaving the page. Without this script the form does all of it by itself, a page at a time. */
(() => {
  "use strict";
  const form = document.querySelector("[data-desk]");
  if (!form) return;
  const nonce = document.currentScript.nonce || document.currentScript.dataset.nonce;
  const find = query => form.querySelector(query);
  const area = find("textarea[name=text]"), language = find("select[name=language]");
  const named = find("input[name=filename]"), input = find("input[name=uploads]"), token = find("input[name=token]");
  const drawer = find("[data-drawer]"), errors = find("[data-errors]"), box = find(".editor");
  const endings = JSON.parse(form.dataset.endings), limit = Number(form.dataset.limit);
  const draftKey = `palfrey-draft:${form.dataset.who}:${form.dataset.desk}`, languageKey = "palfrey-language";
  const recall = key => { try { return localStorage.getItem(key); } catch { return null; } };
  const keep = (key, value) => { try { localStorage.setItem(key, value); return true; } catch { return false; } };

  /* The editor ------------------------------------------------------------------------------------- */
  /* Whether something was typed that is not kept yet, and of which program: two tabs with the same one stay in step. */
  let unkept = false, program = "prefilled" in form.dataset ? newProgram() : null;
  const draft = kept();
  if (draft && !program) {
    area.value = draft.text;
    adopt(draft);
  }
  if (!language.value) choose(recall(languageKey)) || choose("python3") || choose(language.options[1]?.value);
  const editor = palfreyEditor.mount(area, {
    label: area.getAttribute("aria-label"), describedBy: "desk-hint", nonce, run: () => form.querySelector('[name="do"][value="samples"]') && tryOut("samples"), change: changed,
  });
  retune();
  language.addEventListener("change", () => {
    keep(languageKey, language.value);
    named.value = "";
    retune();
    changed();
  });

  function choose(name) {
    if (![...language.options].some(option => option.value && option.value === name)) return false;
    language.value = name;
    return true;
  }

  function retune() {
    editor.mode(language.selectedOptions[0]?.dataset.mode || "");
    find("[data-filename]").textContent = named.value;
  }

  /* The draft: one for a person and a problem. What was typed last is kept, in whatever tab; a tab in which nothing was
     typed since writes nothing, and shows what was typed into the same program elsewhere. ---------------------------- */
  let pending = 0;
  function changed() {
    unkept = true;
    clearTimeout(pending);
    pending = setTimeout(save, 400);
  }

  function save() {
    clearTimeout(pending);
    if (!unkept || area.value.length > 4 * limit) return;
    const now = new Date();
    program ||= newProgram();
    const made = { text: area.value, language: language.value, name: named.value, at: now.getTime(), program };
    if (!keep(draftKey, JSON.stringify(made))) return;
    unkept = false;
    said(now);
  }

  function newProgram() { return Math.random().toString(36).slice(2); }

  function kept() {
    try { return JSON.parse(recall(draftKey)); } catch { return null; }
  }

  function adopt(draft) {
    program = draft.program || null;
    named.value = draft.name || "";
    choose(draft.language);
    said(new Date(draft.at));
  }

  function keepInStep() {
    const draft = kept();
    if (!draft || unkept || (program && draft.program !== program)) return;
    if (draft.text !== area.value) editor.put(draft.text);
    clearTimeout(pending);
    unkept = false;
    adopt(draft);
    retune();
  }

  function said(when) {
    const time = when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    find("[data-draft]").textContent = form.dataset.kept + time;
  }

  window.addEventListener("storage", event => { if (event.key === draftKey) keepInStep(); });
  window.addEventListener("pagehide", save);

  /* Files ------------------------------------------------------------------------------------------ */
  input.addEventListener("change", () => take([...input.files]));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    box.addEventListener(kind, event => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      box.classList.toggle("dropping", kind === "dragover");
      if (kind === "drop") take([...event.dataTransfer.files]);
    }, true);
  }
  find("[data-files-drop]").addEventListener("click", () => { input.value = ""; list(); editor.focus(); });

  /* One text file goes into the editor; several, a zip, or bytes that are no UTF-8 are sent as they are. */
  async function take(files) {
    if (!files.length) return list();
    const guessed = files.map(file => endings[(file.name.match(/\.[^.]+$/) || [""])[0].toLowerCase()]).find(Boolean);
    if (guessed && choose(guessed)) keep(languageKey, guessed);
    if (files.length === 1 && files[0].size <= limit && !/\.zip$/i.test(files[0].name)) {
      try {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(await files[0].arrayBuffer());
        if (!text.includes("\0")) {
          input.value = "";
          named.value = files[0].name;
          editor.put(text.replace(/\r\n?/g, "\n"));
          save();
          retune();
          return list();
        }
      } catch { /* not UTF-8: sent as bytes */ }
    }
    const carrier = new DataTransfer();
    for (const file of files) carrier.items.add(file);
    input.files = carrier.files;
    retune();
    list();
  }

  function list() {
    const files = [...input.files];
    find("[data-files]").hidden = !files.length;
    find("[data-files-text]").textContent = files.length ? `${form.dataset.chosen} ${files.map(file => file.name).join(", ")}` : "";
    editor.show(!files.length);
  }

  /* Sending ---------------------------------------------------------------------------------------- */
  let sending = false, unfollow = null;
  form.addEventListener("submit", event => {
    const button = event.submitter;
    if (button && button.value !== "submit") {
      event.preventDefault();
      tryOut(button.value);
    } else if (sending) {
      event.preventDefault();
    } else {
      sending = true;
      save();
    }
  });
  window.addEventListener("pageshow", event => {
    sending = false;
    if (!event.persisted) return;
    token.value = [...crypto.getRandomValues(new Uint8Array(16))].map(n => n.toString(16)).join("");
    keepInStep();
  });

  let trying = false;
  async function tryOut(what) {
    if (trying) return;
    trying = true;
    save();
    const data = new FormData(form);
    data.set("do", what);
    drawer.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, headers: { "X-Fragment": "1" }, redirect: "error" });
      const html = new DOMParser().parseFromString(await answer.text(), "text/html");
      errors.replaceChildren();
      if (answer.ok) show(html.body.firstElementChild);
      else if (answer.status === 422) errors.replaceChildren(...html.body.children);
      else throw new Error(String(answer.status));
      if (errors.firstElementChild) errors.firstElementChild.scrollIntoView({ block: "nearest" });
    } catch {
      const note = document.createElement("p");
      note.className = "note look errors";
      note.setAttribute("role", "alert");
      note.textContent = form.dataset.lost;
      errors.replaceChildren(note);
    }
    drawer.removeAttribute("aria-busy");
    trying = false;
  }

  drawer.addEventListener("click", event => {
    const link = event.target.closest("[data-line]");
    if (!link) return;
    event.preventDefault();
    editor.toLine(Number(link.dataset.line));
  });

  function show(part) {
    if (unfollow) unfollow();
    drawer.replaceChildren(document.importNode(part, true));
    drawer.hidden = false;
    unfollow = window.palfrey.follow(drawer.firstElementChild);
    drawer.scrollIntoView({ block: "nearest" });
  }
})();
