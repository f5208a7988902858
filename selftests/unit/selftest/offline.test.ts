import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixturesIn } from '../../../src/selftest/fixture.ts';
import { GROUPS } from '../../../src/selftest/groups.ts';
import type { CaseResult } from '../../../src/selftest/offline.ts';
import { hasPassed, replayFixtures } from '../../../src/selftest/offline.ts';
import { FIXTURES } from '../../rig/fixtures.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

async function namesOf(...patterns: readonly string[]): Promise<readonly string[]> {
  const results = await replayFixtures(FIXTURES, patterns);
  if (!results.ok) throw new Error(results.error);
  return results.value.map(({ cli, name }) => `${cli}/${name}`);
}

/** A folder with one copied case, for a test to spoil. */
function oneCase(cli = 'claude', name = 'ok', at = `${cli}/${name}`): { root: string; folder: string } {
  const root = tempFolder();
  cpSync(join(FIXTURES, cli, name), join(root, at), { recursive: true });
  return { root, folder: join(root, at) };
}

async function only(root: string): Promise<CaseResult> {
  const results = await replayFixtures(root, []);
  if (!results.ok) throw new Error(results.error);
  const [one, ...others] = results.value;
  expect(others).toEqual([]);
  if (one === undefined) throw new Error('no result');
  return one;
}

describe('a pattern', () => {
  it('is a CLI, a part of a name, or a name with stars in it', async () => {
    const all = await namesOf();
    expect(await namesOf('codex/')).toEqual(all.filter((name) => name.startsWith('codex/')));
    expect(await namesOf('claude/seat')).toEqual(all.filter((name) => name.startsWith('claude/seat')));
    expect(await namesOf('gemini/*quota')).toEqual(all.filter((name) => /^gemini\/.*quota/.test(name)));
  });

  it('takes no character for more than it is', async () => {
    const none = await replayFixtures(FIXTURES, ['cl.ude/ok']);
    expect(none).toEqual({
      ok: false,
      error: expect.stringMatching(/^no case fits 'cl\.ude\/ok'; /) as string,
    });
  });

  it('adds cases to those of the others, each once', async () => {
    expect(await namesOf('claude/ok', 'claude/ok-oauth')).toEqual(['claude/ok', 'claude/ok-oauth']);
  });

  it.each(Object.keys(GROUPS))('may be the group %s, which holds cases of every CLI', async (group) => {
    const clis = new Set((await namesOf(group)).map((name) => name.split('/')[0]));
    expect([...clis].sort()).toEqual(['claude', 'codex', 'gemini']);
  });
});

describe('a group', () => {
  it('holds what its name says and nothing else', async () => {
    expect(await namesOf('traps')).toEqual((await namesOf()).filter((name) => name.includes('/trap-')));
    const recovered = await namesOf('recoveries');
    expect(recovered).toContain('claude/overloaded-recovers');
    expect(recovered).not.toContain('claude/ok');
    expect(recovered).not.toContain('claude/overloaded-forever');
    expect(await namesOf('seat-exhaustion')).toContain('claude/credits-too-low');
    expect(await namesOf('cli-usage-limit')).not.toContain('claude/credits-too-low');
    expect(await namesOf('seat-exhaustion')).not.toContain('codex/connection-refused');
    expect(await namesOf('cooldown-until')).not.toContain('claude/credits-too-low');
  });
});

describe('a folder of fixtures', () => {
  it.each(['claude/ok', 'ok', '.'])('may hold them as %s', async (at) => {
    const { root } = oneCase('claude', 'ok', at);
    const result = await only(root);
    expect(result).toMatchObject({ cli: 'claude' });
    expect(hasPassed(result)).toBe(true);
  });

  it('that is not there, or holds none, is refused in a sentence', async () => {
    const folder = tempFolder();
    expect(await replayFixtures(join(folder, 'away'), [])).toMatchObject({
      error: expect.stringMatching(/away: it does not exist\.$/) as string,
    });
    expect(await replayFixtures(folder, [])).toMatchObject({
      error: expect.stringMatching(
        /^there is no fixture in .*; expected folders that hold a stream\.jsonl\.$/,
      ) as string,
    });
    expect(fixturesIn(folder)).toEqual({ ok: true, value: [] });
  });
});

describe('a case', () => {
  it('fails with the place where the verdict is another', async () => {
    const { root, folder } = oneCase('claude', 'seat-exhausted-sleeps');
    writeFileSync(
      join(folder, 'expected.json'),
      JSON.stringify({ why: 'because', outcome: 'exhausted', actedAt: { line: 1 } }),
    );
    const result = await only(root);
    expect(hasPassed(result)).toBe(false);
    expect(result).toMatchObject({ differences: [{ path: 'actedAt.line', expected: 1, found: 2 }] });
  });

  it.each<[string, (folder: string) => void, RegExp]>([
    [
      'no stream',
      (folder) => {
        rmSync(join(folder, 'stream.jsonl'));
        mkdirSync(join(folder, 'stream.jsonl'));
      },
      /^stream\.jsonl cannot be read: it is a folder$/,
    ],
    [
      'no capture.json',
      (folder) => {
        rmSync(join(folder, 'capture.json'));
      },
      /^capture\.json cannot be read: it does not exist$/,
    ],
    [
      'no start',
      (folder) => {
        writeFileSync(join(folder, 'capture.json'), '{"cli":"claude","tz":"UTC"}');
      },
      /^capture\.json: expected "startedAt" and "tz"$/,
    ],
    [
      'an unknown CLI',
      (folder) => {
        writeFileSync(join(folder, 'capture.json'), '{"cli":"aider"}');
      },
      /^capture\.json: expected "cli" to be one of .*, but found 'aider'$/,
    ],
    [
      'no expected.json',
      (folder) => {
        rmSync(join(folder, 'expected.json'));
      },
      /^expected\.json cannot be read: it does not exist$/,
    ],
    [
      'a broken expected.json',
      (folder) => {
        writeFileSync(join(folder, 'expected.json'), '{');
      },
      /^expected\.json is no JSON: /,
    ],
    [
      'an expected.json that expects nothing',
      (folder) => {
        writeFileSync(join(folder, 'expected.json'), '[]');
      },
      /^expected\.json: expected an object/,
    ],
    [
      'no argument',
      (folder) => {
        writeFileSync(join(folder, 'expected.json'), '{"outcome":"done","why":" "}');
      },
      /^expected\.json: expected "why"/,
    ],
  ])('with %s fails and says so', async (_what, spoil, reason) => {
    const { root, folder } = oneCase();
    spoil(folder);
    const result = await only(root);
    expect(hasPassed(result)).toBe(false);
    expect(result).toMatchObject({ type: 'unreadable', reason: expect.stringMatching(reason) as string });
  });
});
