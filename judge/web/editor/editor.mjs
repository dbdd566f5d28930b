/* The editor of the problem page: CodeMirror laid over a textarea that goes on holding the text for the form. */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

/* Each language is a file of its own, which comes when it is first written in. */
const cpp = () => import("@codemirror/lang-cpp").then(found => found.cpp());
const clike = name => () => import("@codemirror/legacy-modes/mode/clike").then(found => StreamLanguage.define(found[name]));
const MODES = {
  c: cpp, cpp,
  python3: () => import("@codemirror/lang-python").then(found => found.python()),
  java: () => import("@codemirror/lang-java").then(found => found.java()),
  javascript: () => import("@codemirror/lang-javascript").then(found => found.javascript()),
  go: () => import("@codemirror/legacy-modes/mode/go").then(found => StreamLanguage.define(found.go)),
  rust: () => import("@codemirror/legacy-modes/mode/rust").then(found => StreamLanguage.define(found.rust)),
  pascal: () => import("@codemirror/legacy-modes/mode/pascal").then(found => StreamLanguage.define(found.pascal)),
  csharp: clike("csharp"), kotlin: clike("kotlin"),
};

/* The same four classes as a program that the server shows. */
const ink = tagHighlighter([
  { tag: [tags.keyword, tags.modifier, tags.bool, tags.null, tags.self, tags.standard(tags.typeName)], class: "k" },
  { tag: [tags.string, tags.character, tags.regexp, tags.special(tags.string)], class: "s" },
  { tag: [tags.comment, tags.meta], class: "c" },
  { tag: tags.number, class: "n" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--sheet)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { padding: ".7rem 0", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--sheet)", color: "var(--soft)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.6rem", padding: "0 .8rem 0 .4rem" },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklab, var(--well) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--well)", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "light-dark(#cfe3ec, #29444f)",
  },
  ".cm-selectionMatch": { backgroundColor: "light-dark(#e4efd6, #263a33)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--edge)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--accent-wash)" },
  ".cm-panels": { backgroundColor: "var(--well)", color: "var(--ink)", borderColor: "var(--rule)" },
  ".cm-textfield, .cm-button": {
    background: "var(--sheet)", color: "var(--ink)", border: "1px solid var(--edge)", fontSize: ".85rem",
  },
  ".cm-panel.cm-search label": { fontSize: ".85rem" },
  ".cm-searchMatch": { backgroundColor: "var(--l0)", color: "var(--on-near)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--l2)", color: "var(--on-near)" },
});

/* The texts of the editor itself, as the page gives them. */
function words() {
  const given = document.getElementById("editor-words");
  return given ? JSON.parse(given.textContent) : {};
}

/* Lays an editor over `area`. `run` is called on Ctrl-Enter, `change` after every change. Tab indents; Escape and then
   Tab goes on to the next control. `nonce` lets the editor's style sheet past the page's policy. */
function mount(area, { label, describedBy, nonce, run, change }) {
  const language = new Compartment();
  const view = new EditorView({
    parent: area.parentElement,
    state: EditorState.create({
      doc: area.value,
      extensions: [
        EditorView.cspNonce.of(nonce), EditorState.phrases.of(words()),
        lineNumbers(), highlightActiveLineGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(),
        closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
        indentUnit.of("    "), EditorState.tabSize.of(4),
        syntaxHighlighting(ink), language.of([]), look,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy, spellcheck: "false" }),
        keymap.of([
          { key: "Mod-Enter", run: () => { run(); return true; } },
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab,
        ]),
        EditorView.updateListener.of(update => {
          if (!update.docChanged) return;
          area.value = update.state.doc.toString();
          change();
        }),
      ],
    }),
  });
  area.hidden = true;
  let wanted = "";
  return {
    text: () => view.state.doc.toString(),
    put: text => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } }),
    mode: async name => {
      wanted = name;
      const found = MODES[name] ? await MODES[name]().catch(() => []) : [];
      if (wanted === name) view.dispatch({ effects: language.reconfigure(found) });
    },
    focus: () => view.focus(),
    toLine: number => {
      const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
      view.focus();
    },
    show: shown => { view.dom.hidden = !shown; },
  };
}

window.palfreyEditor = { mount };
