import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../rig/children.ts';
import type { Finished, Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';
import { rests } from '../rig/fake-clis.ts';

interface Saved {
  readonly id: string;
  readonly state: string;
}

async function only(stage: Stage): Promise<Saved> {
  const [first, ...others] = JSON.parse((await stage.run(['sessions', '--json'])).stdout) as Saved[];
  if (first === undefined || others.length > 0) throw new Error('expected one session');
  return first;
}

it.each<[number, string, string, readonly string[], (stage: Stage) => void]>([
  [1, 'failed', 'exit 3', [], () => undefined],
  [1, 'failed', 'echo; echo what >&2; exit 3', [], () => undefined],
  [
    69,
    'unavailable',
    '',
    ['-w', 'claude'],
    ({ bin }) => {
      rmSync(join(bin, 'claude'));
    },
  ],
  [
    75,
    'exhausted',
    '',
    [],
    (stage) => {
      rests(stage, 'claude');
    },
  ],
  [124, 'timeout', 'exec sleep 900', ['--timeout', '1s'], () => undefined],
  [124, 'timeout', 'exec sleep 900', ['--idle-timeout', '1s'], () => undefined],
])(
  'a run that exits with %d, as %s, names last how its session goes on',
  async (code, state, script, flags, before) => {
    const stage = aStage();
    stage.fake('claude', script);
    before(stage);
    const finished = await stage.run(['run', ...flags, 'x']);
    const { id, ...saved } = await only(stage);
    expect({ code: finished.code, state: saved.state }).toEqual({ code, state });
    expect(finished.stderr).toMatch(
      new RegExp(`(?:^|[.] )It goes on with: secondwind resume ${id}\\n$`, 'm'),
    );
  },
);

async function interrupted(stage: Stage, args: readonly string[]): Promise<Finished> {
  stage.fake('claude', 'exec sleep 900');
  const running = stage.start(args);
  await eventually('the worker is at work', () =>
    stage.alive().some(({ command }) => command.includes('sleep')),
  );
  running.kill('SIGINT');
  return running.finished;
}

it('a session that was told to stop is called one thing, in its last words and in every list', async () => {
  const stage = aStage();
  const { stderr } = await interrupted(stage, ['run', 'x']);
  expect(stderr).toContain('secondwind: interrupted; the worker and all it started are gone.');
  const { id } = await only(stage);
  const shown = (await stage.run(['sessions', 'show', id])).stdout;
  expect(shown).toMatch(/^State +interrupted$/m);
  expect(shown).toMatch(/^1 +claude .* interrupted$/m);
  const list = (await stage.run(['sessions'])).stdout;
  expect(list).toMatch(/ interrupted /);
  expect(`${stderr}${shown}${list}`).not.toMatch(/stopped|aborted/);
});
