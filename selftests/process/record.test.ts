import { describe, expect, it } from 'vitest';
import { durationMs } from '../../src/core/time.ts';
import type { RecordOrder, Recording } from '../../src/selftest/record.ts';
import { recordRun } from '../../src/selftest/record.ts';
import { childStarter } from '../../src/system/child.ts';
import { systemClock } from '../../src/system/clock.ts';
import { tempFolder } from '../rig/temp-folder.ts';

async function recorded(script: string, over: Partial<RecordOrder> = {}): Promise<Recording> {
  const cwd = tempFolder();
  const order = {
    ...{ program: '/bin/sh', args: ['-c', script], cwd, env: { PATH: '/usr/bin:/bin' }, stdin: undefined },
    ...{ limit: undefined, abort: new AbortController().signal },
  };
  const run = await recordRun(
    { ...order, ...over },
    { startChild: childStarter(systemClock), clock: systemClock },
  );
  if (!run.ok) throw new Error(run.error.code);
  return run.value;
}

const texts = ({ lines }: Recording): readonly string[] =>
  lines.map(({ channel, text }) => `${channel} ${text}`);

describe('a recorded run', () => {
  it('has every line with its channel and its time, and the end', async () => {
    const run = await recorded('echo one; sleep 0.2; echo two >&2; exit 3');
    expect(texts(run)).toEqual(['stdout one', 'stderr two']);
    expect((run.lines[1]?.t ?? 0) - (run.lines[0]?.t ?? 0)).toBeGreaterThanOrEqual(150);
    expect(run.exit).toEqual({ code: 3, signal: undefined });
    expect(run.wallMs).toBeGreaterThanOrEqual(run.lines[1]?.t ?? Infinity);
  });

  it('that is stopped, by its limit, its silence or us, was still running', async () => {
    const limited = await recorded('echo one; exec sleep 300', { limit: durationMs(1_000) });
    expect({ lines: texts(limited), exit: limited.exit }).toEqual({ lines: ['stdout one'], exit: undefined });
    const silent = await recorded('sleep 0.5; echo one; exec sleep 300', { quiet: durationMs(300) });
    expect({ lines: texts(silent), exit: silent.exit }).toEqual({ lines: ['stdout one'], exit: undefined });
    const abort = AbortSignal.abort();
    expect(await recorded('exec sleep 300', { abort })).toMatchObject({ lines: [], exit: undefined });
  });

  it('has nothing of what a program says when it is told to end', async () => {
    const script = 'trap "echo bye; exit 0" TERM; echo one; while :; do sleep 0.1; done';
    const run = await recorded(script, { quiet: durationMs(300) });
    expect(texts(run)).toEqual(['stdout one']);
  });
});
