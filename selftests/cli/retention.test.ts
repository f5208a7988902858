import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aStage } from '../rig/cli.ts';
import { workingClaude } from '../rig/worktrees.ts';

const DAY_MS = 86_400_000;

it.each([
  ['a month', {}, ['20-days-old', 'today']],
  ['as long as the configuration says', { retentionDays: 10 }, ['today']],
])('a run forgets what is older than %s', async (_what, config, left) => {
  const stage = aStage();
  stage.configure(config);
  stage.fake('claude', workingClaude('true'));
  const ledger = join(stage.stateHome, 'ledger');
  mkdirSync(ledger);
  const names = new Map(
    [40, 20].map((days) => {
      const name = `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)}.jsonl`;
      writeFileSync(join(ledger, name), '');
      return [name, `${String(days)}-days-old`] as const;
    }),
  );
  expect((await stage.run(['run', 'x'])).code).toBe(0);
  expect(readdirSync(ledger).map((name) => names.get(name) ?? 'today')).toEqual(left);
});
