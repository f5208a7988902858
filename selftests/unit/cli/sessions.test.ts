import { describe, expect, it } from 'vitest';
import { listSessions, showSession } from '../../../src/cli/commands/sessions.ts';
import { sessionId } from '../../../src/core/ids.ts';
import { epochMs, HOUR } from '../../../src/core/time.ts';
import { sessionsOf } from '../../../src/library/memory.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anIo } from '../../rig/an-io.ts';
import { aSession } from '../../rig/builders.ts';

const id = sessionId('20261129-200000-000001');

async function shown(record: Parameters<typeof aSession>[0], show = false): Promise<string> {
  const io = anIo();
  const store = sessionsOf(io);
  store.save({ ...aSession(record), id });
  await store.saved(id);
  if (show) await showSession(io, id, {});
  else await listSessions(io, {});
  return io.said();
}

describe('a session in the list', () => {
  it.each([
    ['that somebody is back for later', 'exhausted', HOUR, 'exhausted, back 21:00 (in 1h)'],
    ['whose time to be tried again has come', 'exhausted', 0, 'exhausted; to be tried again'],
    ['whose time has long passed', 'exhausted', -30 * HOUR, 'exhausted; to be tried again'],
    ['of which nobody knows when', 'exhausted', undefined, 'exhausted '],
  ] as const)('%s says what is known of it now', async (_what, state, left, words) => {
    const until = left === undefined ? undefined : epochMs(NOW + left);
    expect(await shown({ state, until })).toContain(words);
  });

  it('shows what a person added to its task, in order', async () => {
    const additions = ['Add a test.', 'And be quick.'].map((text) => ({ text, at: NOW }));
    const page = await shown({ request: { ...aSession().request, additions } }, true);
    expect(page).toMatch(/^Task {7}.*\nAdded {6}Add a test\.\nAdded {6}And be quick\.$/m);
  });
});
