import { expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

/** With a CLI that would answer, were it asked. */
function aReadyStage(): Stage {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  return stage;
}

it.each([
  [['run', '-m', '', 'x'], 'expected a name'],
  [['run', '--timeout', '0', 'x'], 'above zero'],
  [['run', '--idle-timeout', '0s', 'x'], 'above zero'],
])('refuses %j, which can mean nothing', async (args, words) => {
  const { code, stdout, stderr } = await aReadyStage().run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(words);
});

it('runs without recording when its home can never be made', async () => {
  const stage = aReadyStage();
  const { code, stderr } = await stage.run(['run', 'x'], { env: { SECONDWIND_HOME: '/proc/nope' } });
  expect({ code, isBug: stderr.includes('bug of ours') }).toEqual({ code: 0, isBug: false });
});
