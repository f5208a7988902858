import { expect, it } from 'vitest';
import type { SessionRecord, ToolUse } from '../../../src/core/session.ts';
import { Session } from '../../../src/fleet/session.ts';
import { aSession, aWorker } from '../../rig/builders.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

it('stays small through a night of refusals: old attempts forget their tools, the oldest are forgotten', () => {
  let saved: SessionRecord = aSession();
  const clock = new FakeClock();
  const session = new Session(saved, { clock, emit: () => undefined, save: (record) => (saved = record) });
  const tools: readonly ToolUse[] = [1, 2].map((n) => ({ name: 'Bash', detail: String(n), status: 'done' }));
  const workers = ['a', 'b'].map((id) => aWorker({ id }));
  const told = { prompt: '', resume: undefined, how: 'prompt' as const, cliHome: undefined };
  for (let count = 0; count < 1_100; count += 1) {
    for (const worker of workers.slice(count % 2, (count % 2) + 1))
      session.begin(worker, told, { model: undefined, lastResort: false });
    session.progressed({ committed: true, conversation: 'c', tools, droppedTools: 1, lastWords: '' });
  }
  expect(saved.attempts).toHaveLength(1_000);
  expect(saved.switchCount).toBe(1_099);
  const withTools = saved.attempts.filter((attempt) => attempt.tools.length > 0);
  expect(withTools).toHaveLength(20);
  expect(saved.attempts.slice(-20)).toEqual(withTools);
  // How many there were is known all the same.
  expect(saved.attempts[0]).toMatchObject({ tools: [], droppedTools: 3 });
  expect(withTools[0]).toMatchObject({ droppedTools: 1 });
});
