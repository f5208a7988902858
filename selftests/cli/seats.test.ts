import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually, writeScript } from '../rig/children.ts';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

const DONE = `echo '{"type":"result","subtype":"success","is_error":false,"result":"ok"}'`;
const TEXT = `echo '{"type":"assistant","message":{"content":[{"type":"text","text":"at it"}]}}'`;
const REFUSED = `echo '{"type":"system","subtype":"api_retry","retry_delay_ms":7199337,"error_status":429,"error":"rate_limit"}'; exec sleep 900`;

/** A stage with a worker on a seat of its own for each script, and a list of so many tasks. */
function seats(count: number, scripts: Readonly<Record<string, string>>, limit?: number): Stage {
  const stage = aStage();
  const workers = Object.entries(scripts).map(([id, script]) => {
    const program = join(stage.bin, id);
    writeScript(program, `PATH=/usr/bin:/bin\n${script}`);
    const maxConcurrent = limit === undefined ? {} : { maxConcurrent: limit };
    return { id, adapter: 'claude', command: [program], ...maxConcurrent };
  });
  stage.configure({ workers });
  const lines = Array.from({ length: count }, (_, index) => `task ${String(index)}`);
  writeFileSync(join(stage.project, 'list'), lines.join('\n'));
  return stage;
}

function lines(stage: Stage, name: string): readonly string[] {
  const file = join(stage.home, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

interface Entry {
  readonly type: string;
  readonly worker?: string;
  readonly session: string;
}

/** All that was written down, in the order in which it was. */
function ledger(stage: Stage): readonly Entry[] {
  const folder = join(stage.stateHome, 'ledger');
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Entry);
}

it('starts nobody on a seat any more once one of many was refused there', async () => {
  const stage = seats(10, { a: REFUSED, b: `${TEXT}; sleep 0.4; ${DONE}` });
  const { code } = await stage.run(['run', '--tasks', 'list', '-j', '3']);
  expect(code).toBe(0);
  const entries = ledger(stage);
  const refused = entries.findIndex(({ type }) => type === 'cooldown.recorded');
  const starts = entries.flatMap(({ type, worker }, index) =>
    type === 'attempt.started' && worker === 'a' ? [index] : [],
  );
  expect(refused).toBeGreaterThan(0);
  expect(starts.length).toBeGreaterThan(0);
  expect(starts.filter((index) => index > refused)).toEqual([]);
  expect(entries.filter(({ type, worker }) => type === 'attempt.started' && worker === 'b')).toHaveLength(10);
});

it('runs on a seat at most as many at once as its maxConcurrent, in two processes together', async () => {
  const log = '"$HOME/log"';
  const stage = seats(6, { a: `echo + >> ${log}\n${TEXT}\nsleep 1\necho - >> ${log}\n${DONE}` }, 2);
  writeFileSync(join(stage.project, 'other'), 'x\ny\nz');
  const both = await Promise.all(
    ['list', 'other'].map((list) => stage.run(['run', '--tasks', list, '-j', '4'])),
  );
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  let [running, most] = [0, 0];
  for (const line of lines(stage, 'log')) {
    running += line === '+' ? 1 : -1;
    most = Math.max(most, running);
  }
  expect(lines(stage, 'log')).toHaveLength(18);
  expect(most).toBe(2);
});

it('spreads tasks over the seats, least loaded first', async () => {
  // Each works until all three are there: on whatever seats those are.
  const waits = `echo "$0" >> "$HOME/log"; while [ "$(wc -l < "$HOME/log")" -lt 3 ]; do sleep 0.05; done; ${DONE}`;
  const stage = seats(3, { a: waits, b: waits, c: waits });
  expect((await stage.run(['run', '--tasks', 'list', '-j', '3'])).code).toBe(0);
  expect(lines(stage, 'log').map((path) => path.slice(-1))).toHaveLength(3);
  expect(new Set(lines(stage, 'log')).size).toBe(3);
});

it('wakes a waiting run soon after a `cooldown clear` in another terminal', async () => {
  const stage = seats(0, { a: `[ -e "$HOME/open" ] || { ${REFUSED}; }\n${DONE}` });
  const running = stage.start(['run', '--on-quota', 'wait', '--json', 'x']);
  await eventually('it waits', () =>
    existsSync(join(stage.stateHome, 'ledger'))
      ? ledger(stage).some(({ type }) => type === 'wait.started')
      : false,
  );
  writeFileSync(join(stage.home, 'open'), '');
  expect((await stage.run(['cooldown', 'clear', 'a'])).code).toBe(0);
  const { code, events } = await running.finished;
  expect(code).toBe(0);
  const cleared = Date.parse(clearedAt(stage));
  const woken = Date.parse(events.find(({ type }) => type === 'wait.ended')?.at ?? '');
  // Within two seconds on a machine that has time for us; how soon it looks is held on a clock of its own.
  expect(woken - cleared).toBeLessThan(20_000);
});

/** When an operator's clearance was written. */
function clearedAt(stage: Stage): string {
  const text = readFileSync(join(stage.stateHome, 'cooldowns.json'), 'utf8');
  const { clearances } = JSON.parse(text) as { clearances: { at: string }[] };
  return clearances[0]?.at ?? '';
}
