/* The editor of the problem page: CodeMirror laid over a textarea that goes on holding the text for the form. */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { java } from "@codemirror/lang-java";
import { javascript } from "@codemirror/lang-javascript";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { csharp, kotlin } from "@codemirror/legacy-modes/mode/clike";
import { go } from "@codemirror/legacy-modes/mode/go";
import { pascal } from "@codemirror/legacy-modes/mode/pascal";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

const of = parser => () => StreamLanguage.define(parser);
const MODES = {
  c: cpp, cpp, python3: python, java, javascript,
  go: of(go), rust: of(rust), pascal: of(pascal), csharp: of(csharp), kotlin: of(kotlin),
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
  ".cm-textfield, .cm-button": { background: "var(--sheet)", color: "var(--ink)", border: "1px solid var(--edge)" },
  ".cm-searchMatch": { backgroundColor: "var(--l0)", color: "var(--on-near)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--l2)", color: "var(--on-near)" },
});

/* Lays an editor over `area`. `run` is called on Ctrl-Enter, `change` after every change. Tab indents; Escape and then
   Tab goes on to the next control. `nonce` lets the editor's style sheet past the page's policy. */
export function mount(area, { label, describedBy, nonce, run, change }) {
  const language = new Compartment();
  const view = new EditorView({
    parent: area.parentElement,
    state: EditorState.create({
      doc: area.value,
      extensions: [
        EditorView.cspNonce.of(nonce),
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
  return {
    text: () => view.state.doc.toString(),
    put: text => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } }),
    mode: name => view.dispatch({ effects: language.reconfigure(MODES[name] ? MODES[name]() : []) }),
    focus: () => view.focus(),
    toLine: number => {
      const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
      view.focus();
    },
    show: shown => { view.dom.hidden = !shown; },
  };
}
