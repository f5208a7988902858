import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configPath, showConfig } from '../../../src/cli/commands/config.ts';
import { listCooldowns } from '../../../src/cli/commands/cooldown-list.ts';
import { doctor } from '../../../src/cli/commands/doctor.ts';
import { explain } from '../../../src/cli/commands/explain.ts';
import { quotaHistory } from '../../../src/cli/commands/quota-history.ts';
import { pollQuota } from '../../../src/cli/commands/quota-poll.ts';
import { listQuota } from '../../../src/cli/commands/quota.ts';
import { listSessions, showSession } from '../../../src/cli/commands/sessions.ts';
import { status } from '../../../src/cli/commands/status.ts';
import { listWorkers } from '../../../src/cli/commands/workers.ts';
import { widthOf } from '../../../src/cli/width.ts';
import { cooldownsOf } from '../../../src/library/cooldowns.ts';
import { sessionsOf } from '../../../src/library/memory.ts';
import { quotaOf } from '../../../src/library/quota.ts';
import { epochMs, HOUR } from '../../../src/core/time.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aReading } from '../../rig/a-reading.ts';
import type { AnIo } from '../../rig/an-io.ts';
import { anIo } from '../../rig/an-io.ts';
import { aSession } from '../../rig/builders.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

const VIEWS: Readonly<Record<string, (io: AnIo) => number | Promise<number>>> = {
  status: (io) => status(io, {}),
  workers: (io) => listWorkers(io, {}),
  explain: (io) =>
    explain(io, ['mend', 'the', 'clock', 'and', 'then', 'tell', 'what', 'was', 'wrong', 'with', 'it'], {}),
  'cooldown list': (io) => listCooldowns(io, {}),
  sessions: (io) => listSessions(io, {}),
  'sessions show': (io) => showSession(io, aSession().id, {}),
  quota: (io) => listQuota(io, {}),
  'quota poll': (io) => pollQuota(io, {}),
  'quota history': (io) => quotaHistory(io, {}),
  doctor: (io) => doctor(io, {}),
  'config show': (io) => showConfig(io, {}),
  'config path': (io) => configPath(io, {}),
};

/** A fleet of which something is to be told in every view. */
async function aWorld(options: Parameters<typeof anIo>[0]): Promise<AnIo> {
  const io = anIo({ clock: new FakeClock(NOW), ...options });
  mkdirSync(io.stateHome, { recursive: true, mode: 0o700 });
  const workers = [
    { id: 'claude-home', adapter: 'claude', billing: 'subscription' },
    {
      id: 'claude-work',
      adapter: 'claude',
      seat: 'work',
      model: 'opus',
      env: { CLAUDE_CONFIG_DIR: '~/.claude-work' },
    },
    { id: 'codex', adapter: 'codex' },
  ];
  const when = { seat: 'codex', window: '5h', usedPercent: { gte: 40 }, freshWithin: '1h' };
  const rules = [{ when, then: 'prefer-others', note: 'keep the rest of the window for people' }];
  writeFileSync(join(io.stateHome, 'config.json'), JSON.stringify({ workers, rules }), { mode: 0o600 });
  const reason = 'You have hit your limit for Opus, and what is left of the week is for others';
  await cooldownsOf(io).record(aCooldown({ since: NOW, until: epochMs(NOW + HOUR), reason }));
  const quota = quotaOf(io);
  quota.note([aReading({}), aReading({ window: '7d', usedPercent: 99.9 })]);
  await quota.saved();
  const session = aSession();
  const task = '時計を直す and then write down in a few words what was wrong with it\nand add a test';
  const store = sessionsOf(io);
  store.save({ ...session, request: { ...session.request, task, directory: '/projects/clock' } });
  await store.saved(session.id);
  return io;
}

/** What stands before the first word of a line: a mark, or a label with its gap. */
const LABEL = /^(?: *[→!✗✓] |[A-Za-z]+ {2,})/;

const said = async (view: string, options: Parameters<typeof anIo>[0]): Promise<string> => {
  const io = await aWorld(options);
  await VIEWS[view]?.(io);
  expect(io.complained()).toBe('');
  // The home is another each time, and what is free on the disk may be.
  return io
    .said()
    .replaceAll(io.home, 'HOME'.padEnd(io.home.length, 'X'))
    .replace(/[\d.]+(?= GB free)/, (figure) => '0'.padEnd(figure.length, '0'));
};

describe.each(Object.keys(VIEWS))('what %s shows', (view) => {
  it.each([40, 60, 80, 200])(
    'fits a terminal of %d columns, but for words that do not',
    async (outColumns) => {
      const lines = (await said(view, { outColumns })).split('\n');
      const tooWide = lines.filter((line) => widthOf(line) > outColumns);
      expect(tooWide.filter((line) => line.replace(LABEL, '').trim().includes(' '))).toEqual([]);
    },
  );

  it('has no control codes in a pipe, and is the same whatever terminal stderr is', async () => {
    const text = await said(view, { columns: 40 });
    expect(text).not.toContain('\u001b');
    expect(text).toBe(await said(view, { columns: 200 }));
  });

  it('says the same with colours as without', async () => {
    const options = { outColumns: 60 };
    const coloured = await said(view, { ...options, colors: 3 });
    expect(coloured.replace(/\u001b\[[0-9;]*m/g, '')).toBe(await said(view, options));
  });
});
