import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aStage, playing } from '../rig/cli.ts';

it('asks a seat whose rest cannot be written only once in one process, however many tasks there are', async () => {
  const stage = aStage();
  stage.configure({ workers: [playing('claude', 'seat-exhausted-sleeps'), playing('codex', 'ok')] });
  // What a newer secondwind wrote is left as it is, so nothing can be recorded.
  writeFileSync(join(stage.stateHome, 'cooldowns.json'), '{ "version": 99 }\n');
  writeFileSync(join(stage.project, 'list'), 'a\nb\nc\n');
  const { code, events } = await stage.run(['run', '--tasks', 'list', '--json']);
  expect(code).toBe(0);
  expect(events.filter(({ type }) => type === 'cooldown.not-recorded')).toHaveLength(1);
  const started = events.filter(({ type }) => type === 'attempt.started').map(({ worker }) => worker);
  expect(started).toEqual(['claude', 'codex', 'codex', 'codex']);
});
