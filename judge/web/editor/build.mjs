/* Makes ../static/web/editor.js, the parts that it fetches when they are needed, and the licences that belong to it. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const out = new URL("../static/web/", import.meta.url).pathname;
for (const name of readdirSync(out)) if (/^editor-.*\.js$/.test(name)) rmSync(join(out, name));
const made = await build({
  entryPoints: { editor: "editor.mjs" },
  bundle: true,
  minify: true,
  format: "esm",
  splitting: true,
  chunkNames: "editor-[hash]",
  target: "es2022",
  legalComments: "none",
  banner: { js: "/* CodeMirror 6 and what it needs, bundled; licences in editor.licences.txt. */" },
  outdir: out,
  metafile: true,
});

const folders = new Set(
  Object.keys(made.metafile.inputs)
    .map(path => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//))
    .filter(Boolean)
    .map(found => found[1]),
);
const texts = [...folders].sort().map(name => {
  const folder = join("node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${about.version} (${about.license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
writeFileSync(join(out, "editor.licences.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
console.log(`${folders.size} packages in editor.js`);
