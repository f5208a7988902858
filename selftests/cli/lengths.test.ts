import { expect, it } from 'vitest';
import { aStage } from '../rig/cli.ts';

// Whoever reads of one attempt in two places takes two lengths for two attempts.
it('says how long an attempt took in the same way wherever it is told', async () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const { stderr } = await stage.run(['run', 'x']);
  const [, took = 'none'] = /done in (\d+(?:\.\d)?s)/.exec(stderr) ?? [];
  const sessions = await stage.run(['sessions', '--json']);
  const [{ id = '' } = {}] = JSON.parse(sessions.stdout) as { readonly id?: string }[];
  const shown = await stage.run(['sessions', 'show', id]);
  const explained = await stage.run(['explain', '--session', id]);
  expect(explained.stdout).toContain(`done, after ${took}`);
  expect(shown.stdout.split('\n').find((line) => line.includes('claude'))).toContain(` ${took} `);
});
