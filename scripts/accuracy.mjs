// Prints how well refusals are read, in reported messages and in captures: per CLI and kind, right out of total, every
// miss and every excuse listed. The same are tests: selftests/unit/signals/corpus.test.ts, selftests/contract. Captures
// go through the built product, so build first.
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { runBundled } from './run-bundled.mjs';

const { assess, report } = await runBundled('accuracy', {
  main: 'selftests/unit/signals/accuracy-report.ts',
});

const undecided = JSON.parse(await readFile('selftests/data/undecided.json', 'utf8'));
for (const [name, excuses] of [
  ['messages.jsonl', undecided],
  ['found.jsonl', []],
]) {
  const accuracy = assess(await readFile(`selftests/data/${name}`, 'utf8'), excuses);
  console.log(`${name}\n\n${report(accuracy)}`);
  if (accuracy.misses.length > 0 || accuracy.falseAlarms > 0) process.exitCode = 1;
}

console.log('captures (fixtures/*/*, through `secondwind replay`)\n');
const counts = new Map();
for (const cli of (await readdir('fixtures')).filter((name) => name !== 'children')) {
  for (const name of await readdir(`fixtures/${cli}`)) {
    const folder = `fixtures/${cli}/${name}`;
    const { why, ...expected } = JSON.parse(await readFile(`${folder}/expected.json`, 'utf8'));
    const run = spawnSync(
      process.execPath,
      ['bin/secondwind.js', 'replay', `${folder}/stream.jsonl`, '--adapter', cli, '--json'],
      { encoding: 'utf8' },
    );
    const verdict = run.status === 0 ? JSON.parse(run.stdout) : { outcome: run.stderr.trim() };
    const wrong = differences(expected, verdict);
    const key = `${cli.padEnd(9)} ${expected.signal?.kind ?? expected.outcome}`;
    const [right, total] = counts.get(key) ?? [0, 0];
    counts.set(key, [right + (wrong.length === 0 ? 1 : 0), total + 1]);
    if (wrong.length > 0) {
      process.exitCode = 1;
      console.log(`  ${folder}: ${wrong.join('; ')}\n    ${why}`);
    }
  }
}
for (const [key, [right, total]] of [...counts].sort()) console.log(`${key.padEnd(30)} ${right}/${total}`);

/** What of an expected verdict is not so; instants may differ by a minute, which is what vendors print. */
function differences(expected, actual, path = '') {
  if (expected === null || typeof expected !== 'object') {
    const [wanted, got] = [expected, actual].map((value) =>
      typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : value,
    );
    const near = typeof wanted === 'number' && typeof got === 'number' && Math.abs(wanted - got) <= 60_000;
    return wanted === got || (near && wanted > 1e12)
      ? []
      : [`${path} is ${JSON.stringify(actual)} for ${JSON.stringify(expected)}`];
  }
  return Object.entries(expected).flatMap(([key, value]) =>
    differences(value, actual?.[key] ?? null, path === '' ? key : `${path}.${key}`),
  );
}
