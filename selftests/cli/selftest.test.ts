import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aStage } from '../rig/cli.ts';
import { GROUPS } from '../../src/selftest/groups.ts';
import { FIXTURES } from '../rig/fixtures.ts';
import { ROOT } from '../rig/sources.ts';

it('replays every packaged run, a line a case, and ends with 0', async () => {
  const { code, stdout, stderr } = await aStage().run(['selftest']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^ {2}✓ seat-exhausted-sleeps +exhausted: rate-limit on seat, reset 2026-11-29T21:44:16\.003Z \(2h, event\) {2}ended at line 2 of 2, after 717 ms$/m,
  );
  expect(stdout).toMatch(/^ {2}✓ ok +done {2}3 lines, left alone$/m);
  expect(stdout).toMatch(/\n\d+ passed, 0 failed\n$/);
  expect(stdout.split('\n').filter((line) => /^(claude|codex|gemini)$/.test(line))).toHaveLength(3);
});

it('tells scripts the same', async () => {
  const { code, stdout } = await aStage().run(['selftest', 'claude/seat-exhausted-sleeps', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ ok: true, passed: 1, failed: 0 },
    cases: [
      {
        ...{ cli: 'claude', case: 'seat-exhausted-sleeps', ok: true, lines: 2, differences: [] },
        groups: ['seat-exhaustion', 'cli-usage-limit', 'cooldown-until'],
        version: '2.1.197 (Claude Code)',
        found: { outcome: 'exhausted', actedAt: { line: 2, t: 717 } },
      },
    ],
  });
});

it('goes red on a verdict that is not the expected one, and points at the line and the rule', async () => {
  const stage = aStage();
  const folder = join(stage.project, 'mine');
  cpSync(join(FIXTURES, 'claude/seat-exhausted-sleeps'), folder, { recursive: true });
  const stream = join(folder, 'stream.jsonl');
  writeFileSync(stream, readFileSync(stream, 'utf8').replace('api_retry', 'api_rest'));
  const told = await stage.run(['selftest', '--fixtures', 'mine']);
  expect(told.code).toBe(1);
  expect(told.stdout).toMatch(/^ {2}✗ mine {2}running/m);
  expect(told.stdout).toMatch(/outcome: expected "exhausted", found "running"/);
  expect(told.stdout).toMatch(/line 2: .*api_rest/);
  expect(told.stdout).toMatch(
    /rule: claude at system\/api_rest, read in src\/workers\/readers\/claude\.ts with the words of src\/signals\/phrases\/claude\.ts/,
  );
  expect(told.stdout).toMatch(/\n0 passed, 1 failed: claude\/mine\n$/);
  const json = await stage.run(['selftest', '--fixtures', 'mine', '--json']);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    cases: [{ at: { line: 2, position: 'system/api_rest' } }],
  });
});

it.each([
  [
    ['nonsense'],
    /no case fits 'nonsense'; expected a part of a case's name such as claude\/seat, or a group: /,
  ],
  [['--fixtures', 'away'], /cannot read the fixtures in .*\/away: it does not exist\./],
  [['--fixtures', '.'], /there is no fixture in /],
])('refuses %j in a sentence', async (args, sentence) => {
  const { code, stdout, stderr } = await aStage().run(['selftest', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(sentence);
});

it('has every group in its help and as a script of its own', async () => {
  const { stdout } = await aStage().run(['selftest', '--help']);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const words = stdout.replace(/\s+/g, ' ');
  for (const [group, means] of Object.entries(GROUPS)) {
    expect(words).toContain(`${group} ${means}`);
    expect(scripts[`selftest:${group}`]).toMatch(new RegExp(` ${group}$`));
  }
});

it('shows what nobody here knows, and does not fail over it', async () => {
  const stage = aStage();
  const folder = join(stage.project, 'mine');
  cpSync(join(FIXTURES, 'claude/ok'), folder, { recursive: true });
  const stream = join(folder, 'stream.jsonl');
  const odd = JSON.stringify({ t: 1, ch: 'stdout', line: '{"type":"quota_event"}' });
  writeFileSync(stream, `${odd}\n${readFileSync(stream, 'utf8')}`);
  const { code, stdout } = await stage.run(['selftest', '--fixtures', 'mine']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/✓ mine +done.*\n +not known here: event quota_event \(1×\)\n/);
});
