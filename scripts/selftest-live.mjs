// `npm run selftest:live`: `secondwind selftest --live` over the pinned CLIs, as CI runs it. With SECONDWIND_TEST_REPORT
// what came of it is written there, in the form that scripts/ci-summary.mjs adds up.
// `npm run test:live:newest`: the same over the newest release of each CLI that runs here. Vendors change their output
// every week, so this is a report, and never fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installClis, installNewest } from './install-clis.mjs';

const args = process.argv.slice(2).filter((arg) => arg !== '--newest');
const isNewest = process.argv.includes('--newest');
const report = process.env.SECONDWIND_TEST_REPORT;
const commands = isNewest ? await newest() : await installClis();

const folder = mkdtempSync(join(tmpdir(), 'secondwind-clis-'));
try {
  for (const [name, command] of Object.entries(commands)) {
    const words = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  }
  const isCounted = report !== undefined && !isNewest;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['bin/secondwind.js', 'selftest', '--live', ...args, ...(isCounted ? ['--json'] : [])],
    {
      // A state of its own: the user's configuration names CLIs that are not meant here.
      env: {
        ...process.env,
        PATH: `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`,
        SECONDWIND_HOME: folder,
      },
      stdio: ['ignore', isCounted ? 'pipe' : 'inherit', 'inherit'],
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (isCounted) count(JSON.parse(stdout));
  process.exitCode = isNewest ? 0 : (status ?? 1);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function newest() {
  const found = Object.entries(await installNewest());
  for (const [name, { error }] of found)
    if (error !== undefined) console.log(`${name}: not tested: ${error}`);
  return Object.fromEntries(
    found.flatMap(([name, { command }]) => (command === undefined ? [] : [[name, command]])),
  );
}

/** A CLI that could not be tested, or did more than it was told, counts as one that failed. */
function count({ passed, failed, durationMs, clis }) {
  for (const { name, version, cases, gaveUp, misdeeds } of clis) {
    const wrong = [
      gaveUp ?? [],
      misdeeds,
      cases.filter(({ ok }) => !ok).map((one) => JSON.stringify(one, undefined, 2)),
    ].flat();
    console.log(`${name} ${version}: ${cases.filter(({ ok }) => ok).length} of ${cases.length} cases`);
    for (const one of wrong) console.log(`  ${one}`);
  }
  console.log(`in ${(durationMs / 1000).toFixed(1)} s`);
  const unfit = clis.filter(({ gaveUp, misdeeds }) => gaveUp !== null || misdeeds.length > 0).length;
  writeFileSync(report, JSON.stringify({ numPassedTests: passed, numFailedTests: failed + unfit }));
}
