import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage, playing } from '../rig/cli.ts';
import { CLAUDE } from '../rig/fake-clis.ts';

const RULE = {
  when: { seat: 'work', window: '5h', usedPercent: { gte: 90 }, freshWithin: '15m' },
  then: 'prefer-others',
  note: 'keep it for the evening',
};

const FLEET = [{ ...playing('claude', 'ok'), seat: 'work' }, playing('claude', 'ok', 'spare')];

/** Writes down that the five-hour window of a seat was seen this moment, and resets in an hour. */
function seen({ stateHome }: Stage, usedPercent: number, seat = 'work'): void {
  const now = Date.now();
  const at = (ms: number): string => new Date(ms).toISOString();
  const reading = { seat, window: '5h', usedPercent, source: 'event' };
  const readings = [{ ...reading, resetAt: at(now + 3_600_000), observedAt: at(now) }];
  mkdirSync(stateHome, { recursive: true });
  writeFileSync(join(stateHome, 'quota.json'), JSON.stringify({ version: 1, readings, polls: [] }));
}

function ledger({ stateHome }: Stage): readonly Readonly<Record<string, unknown>>[] {
  const folder = join(stateHome, 'ledger');
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

it('a run leaves behind how full its windows are, tells of the warning, and quota shows it', async () => {
  const stage = aStage();
  stage.configure({ workers: [playing('claude', 'warning-then-ok')] });
  const run = await stage.run(['run', '--json', 'say hi']);
  expect(run.code).toBe(0);
  const warning = {
    type: 'reading',
    seat: 'claude',
    window: '5h',
    usedPercent: 92,
    warning: true,
    source: 'event',
  };
  expect(run.events).toContainEqual(expect.objectContaining(warning));
  expect(ledger(stage)).toContainEqual(expect.objectContaining(warning));
  const quota = await stage.run(['quota', '--json']);
  expect(JSON.parse(quota.stdout)).toMatchObject([{ seat: 'claude', window: '5h', source: 'event' }]);
  expect((await stage.run(['quota', 'history', '--since', '1h'])).stdout).toContain('claude 5h');
});

it('a rule is seen at work in explain, in who is asked, and in the ledger, before and after its window fills', async () => {
  const stage = aStage();
  stage.configure({ workers: FLEET, rules: [RULE] });
  seen(stage, 40);
  const before = await stage.run(['explain']);
  expect(before.stdout).toMatch(/^1\. claude$/m);
  expect(before.stdout).toMatch(/does not match: 5h is at 40 %, seen \d+s ago/);

  seen(stage, 93);
  const after = await stage.run(['explain']);
  expect(after.stdout).toMatch(/^1\. spare$/m);
  expect(after.stdout).toMatch(/matches: 5h is at 93 %, seen \d+s ago: keep it for the evening/);
  const json = await stage.run(['explain', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject([
    { worker: 'spare', rules: [] },
    { worker: 'claude', rules: [{ rule: 1, outcome: 'matched', usedPercent: 93, gte: 90 }] },
  ]);

  const run = await stage.run(['run', 'say hi']);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain(
    'rule 1: 5h of seat work is at 93 %, so others are asked first (keep it for the evening)',
  );
  expect(ledger(stage)).toContainEqual(
    expect.objectContaining({ type: 'rule', outcome: 'matched', usedPercent: 93 }),
  );
  expect(ledger(stage)).toContainEqual(expect.objectContaining({ type: 'attempt.started', worker: 'spare' }));
});

it('a full window that a run went through is not told as if it were news, nor does a rule go by it', async () => {
  const stage = aStage();
  stage.fake('claude', CLAUDE);
  stage.configure({ rules: [{ ...RULE, when: { ...RULE.when, seat: 'claude' } }] });
  seen(stage, 100, 'claude');
  expect((await stage.run(['explain'])).stdout).toContain('matches: 5h is at 100 %');
  expect((await stage.run(['status'])).stdout).toMatch(/ready .* 5h 100 % \(\d+s ago\)/);
  expect(await stage.run(['run', 'say hi'])).toMatchObject({ code: 0, stdout: 'By claude.\n' });
  expect((await stage.run(['status'])).stdout).toMatch(/ready .* 5h has room/);
  expect((await stage.run(['quota'])).stdout).toMatch(/claude +5h .*has room .*\(run\)/);
  expect((await stage.run(['explain'])).stdout).not.toContain(' matches:');
});

it('a rule cannot keep the only worker from a task', async () => {
  const stage = aStage();
  stage.configure({ workers: FLEET.slice(0, 1), rules: [RULE] });
  seen(stage, 100);
  const run = await stage.run(['run', 'say hi']);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('rule 1 matches, and moves nobody: 5h of seat work is at 100 % (keep it for');
  expect(run.stderr).not.toContain('others are asked first');
});

it('a quota.json that cannot be used stops no run, and is said', async () => {
  const stage = aStage();
  stage.configure({ workers: FLEET, rules: [RULE] });
  writeFileSync(join(stage.stateHome, 'quota.json'), '{"version":1,"readings":"all of them"}');
  const run = await stage.run(['run', 'say hi']);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('quota.json');
});

it.each([
  ['rules[0].then', { rules: [{ ...RULE, then: 'refuse' }] }],
  ['rules[0].when.usedPercent', { rules: [{ ...RULE, when: { ...RULE.when, usedPercent: 90 } }] }],
  ['quota.poll', { quota: { poll: '5s' } }],
  ['retentionDays', { retentionDays: 0 }],
])('%s that means nothing is refused with its place', async (where, config) => {
  const stage = aStage();
  stage.configure(config);
  const run = await stage.run(['quota']);
  expect(run.code).toBe(78);
  expect(run.stderr).toContain(`config.json:1: ${where}`);
});

it("a project's file cannot have rules", async () => {
  const stage = aStage();
  writeFileSync(join(stage.project, 'secondwind.config.json'), JSON.stringify({ rules: [RULE] }));
  expect(await stage.run(['quota'])).toMatchObject({ code: 78 });
});

it('the ledger is kept for as many days as the configuration says', async () => {
  const stage = aStage();
  stage.configure({ workers: FLEET, retentionDays: 90 });
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  mkdirSync(join(stage.stateHome, 'ledger'));
  for (const ago of [60, 120]) writeFileSync(join(stage.stateHome, 'ledger', `${day(ago)}.jsonl`), '');
  await stage.run(['run', 'say hi']);
  const kept = [60, 120].map((ago) => existsSync(join(stage.stateHome, 'ledger', `${day(ago)}.jsonl`)));
  expect(kept).toEqual([true, false]);
});

it('what is no command after quota is a slip', async () => {
  const run = await aStage().run(['quota', 'histroy']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain("expected list, history or poll after quota, but found 'histroy'");
});
