/* Makes ../static/web/editor.js and the licences that belong to it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const out = new URL("../static/web/", import.meta.url).pathname;
const made = await build({
  entryPoints: ["editor.mjs"],
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "palfreyEditor",
  target: "es2022",
  legalComments: "none",
  banner: { js: "/* CodeMirror 6 and what it needs, bundled; licences in editor.licences.txt. */" },
  outfile: join(out, "editor.js"),
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
