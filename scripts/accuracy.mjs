// Prints how well refusals are read: per CLI and kind, right out of total, every miss and every excuse listed.
// The same assessment is a test: selftests/unit/signals/corpus.test.ts.
import { build } from 'esbuild';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const outfile = 'node_modules/.cache/secondwind/accuracy.mjs';
await mkdir('node_modules/.cache/secondwind', { recursive: true });
await build({
  entryPoints: ['selftests/unit/signals/accuracy-report.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});
const { assess, report } = await import(pathToFileURL(outfile).href);
await rm(outfile);

const undecided = JSON.parse(await readFile('selftests/data/undecided.json', 'utf8'));
for (const [name, excuses] of [
  ['messages.jsonl', undecided],
  ['found.jsonl', []],
]) {
  const accuracy = assess(await readFile(`selftests/data/${name}`, 'utf8'), excuses);
  console.log(`${name}\n\n${report(accuracy)}`);
  if (accuracy.misses.length > 0 || accuracy.falseAlarms > 0) process.exitCode = 1;
}
