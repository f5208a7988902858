import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addCooldown } from '../../../src/cli/commands/cooldown.ts';
import { listCooldowns } from '../../../src/cli/commands/cooldown-list.ts';
import { listSessions, showSession } from '../../../src/cli/commands/sessions.ts';
import { cooldownsOf } from '../../../src/library/cooldowns.ts';
import { ending } from '../../../src/cli/endings.ts';
import { eventLine } from '../../../src/library/event-json.ts';
import type { Io } from '../../../src/cli/io.ts';
import { noticesTo, refuse } from '../../../src/cli/io.ts';
import { createReport } from '../../../src/cli/report.ts';
import { runView } from '../../../src/cli/run-view.ts';
import { sessionsOf } from '../../../src/library/memory.ts';
import { style } from '../../../src/cli/style.ts';
import { TaskProgress } from '../../../src/cli/task-progress.ts';
import type { Event } from '../../../src/core/event.ts';
import { seatId, sessionId, workerId } from '../../../src/core/ids.ts';
import { durationMs, epochMs } from '../../../src/core/time.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aSession, aWorker } from '../../rig/builders.ts';
import { escapes, obeyed } from '../../rig/escapes.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

const WORKER = workerId('claude');

/** An event of each kind that is told, every text in it that others wrote being `text`. */
function eventsWith(text: string): readonly Event[] {
  const worker = workerId(text);
  const one = durationMs(1);
  return [
    { type: 'worker.skipped', worker, reason: text, kind: 'rate-limit', until: NOW },
    { type: 'attempt.started', worker, adapter: text, model: text, pid: 1, lastResort: true },
    { type: 'attempt.text', worker: WORKER, text, delta: true },
    { type: 'attempt.text', worker: WORKER, text, delta: false },
    { type: 'attempt.tool', worker, id: text, name: text, detail: text, status: 'started' },
    { type: 'attempt.tool', worker, id: text, name: text, detail: text, status: 'failed' },
    { type: 'attempt.retrying', worker, kind: 'rate-limit', status: 429, delayMs: one },
    { type: 'attempt.note', worker, text },
    ...(['done', 'failed'] as const).map((outcome): Event => {
      const how = { exitCode: 1, reason: text, killedBecause: text, durationMs: one };
      return { type: 'attempt.ended', worker, outcome, ...how };
    }),
    ...[text, undefined].map((model): Event => {
      const what = {
        seat: seatId(text),
        model,
        kind: 'rate-limit',
        until: NOW,
        source: 'text',
        reason: text,
      } as const;
      return { type: 'cooldown.recorded', worker, ...what };
    }),
    { type: 'cooldown.not-recorded', worker, kind: 'rate-limit', reason: text },
    { type: 'hold.started', worker, delayMs: one, holdCount: 1 },
    { type: 'wait.started', worker, until: NOW },
    { type: 'handoff', from: worker, to: worker, how: 'brief' },
    {
      ...{ type: 'reading', worker, seat: seatId(text), window: text, usedPercent: 99, resetAt: NOW },
      ...{ warning: true, source: 'event' },
    },
  ];
}

/** A person who watches on a terminal with colours, and all that was written to it. */
function aWatcher() {
  let seen = '';
  const write = (text: string): void => {
    seen += text;
  };
  const terminal = {
    ...{
      out: write,
      err: write,
      columns: 80,
      outColumns: 80,
      isLive: true,
      outTaken: () => Promise.resolve(undefined),
    },
    ...{
      colors: { out: 1, err: 1 } as const,
      show: (lines: readonly string[]) => {
        lines.forEach(write);
      },
    },
  };
  return { terminal, seen: () => seen };
}

const never = {
  now: () => NOW,
  monotonic: () => durationMs(0),
  sleep: () => new Promise<void>(() => undefined),
};

function anIo(stateHome = '/nowhere'): { readonly io: Io; readonly seen: () => string } {
  const { terminal, seen } = aWatcher();
  const clock = { ...systemClock, now: () => NOW };
  const report = noticesTo(terminal);
  const io = { terminal, report, clock, env: {}, home: '/h', stateHome, directory: '/d', zone: 'UTC' };
  return { io: io, seen };
}

/** Nothing that it prints moves the cursor, sets the title, or begins a line of its own making. */
function printsNoHarm(print: (text: string) => string): void {
  fc.assert(
    fc.property(escapes, (text) => {
      expect(obeyed(print(text))).toBe('');
    }),
  );
}

describe('what others wrote moves no cursor and sets no title', () => {
  it.each([0, 1] as const)('in the report of a run, with colours of level %i', (level) => {
    printsNoHarm((text) => {
      const { terminal, seen } = aWatcher();
      const options = { zone: 'UTC', now: () => NOW, quiet: false, nameWidth: 6 };
      const report = createReport({ ...options, terminal, style: style(level) });
      for (const event of eventsWith(text)) report(event);
      // Each line is one that the report itself began.
      expect(
        seen()
          .trimEnd()
          .split('\n')
          .filter((line) => !line.includes('│')),
      ).toEqual([]);
      return seen();
    });
  });

  it('in the live line of a run', () => {
    printsNoHarm((text) => {
      const lines: string[] = [];
      const view = runView({ show: (shown) => lines.push(...shown), style: style(1), clock: never });
      for (const event of eventsWith(text)) view(event);
      expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
      return lines.join('');
    });
  });

  it('in the progress of many tasks', () => {
    printsNoHarm((text) => {
      const said: string[] = [];
      const block = {
        say: (one: string) => said.push(one),
        show: (lines: readonly string[]) => said.push(...lines),
      };
      const clock = { now: () => NOW, monotonic: () => durationMs(0) };
      const progress = new TaskProgress(
        { block, style: style(1), zone: 'UTC', ...clock, total: 1, quiet: false },
        0,
      );
      progress.begin(0, text);
      for (const event of eventsWith(text)) progress.tell(0, event);
      progress.end(0, {
        ...{ type: 'failed', worker: aWorker(), reason: text, evidence: text, recognised: false },
      });
      return said.join('');
    });
  });

  it('in the last words of a run, and in refusals', () => {
    const context = {
      ...({ now: NOW, zone: 'UTC', onQuota: 'stop', session: undefined } as const),
      setUp: () => ({ title: 'x', install: 'y', login: 'z' }),
    };
    printsNoHarm((text) => {
      const worker = aWorker({ id: text });
      const skipped = [
        { worker, because: 'resting' as const, reason: text, kind: 'rate-limit' as const, until: NOW },
      ];
      const { io, seen } = anIo();
      refuse(io, { reason: 'usage', message: text });
      const outcomes = [
        { type: 'failed', worker, reason: text, evidence: `${text}x`, recognised: false },
        { type: 'exhausted', skipped, earliest: { worker, at: NOW } },
        { type: 'unavailable', skipped },
      ] as unknown as Parameters<typeof ending>[0][];
      return seen() + outcomes.map((outcome) => ending(outcome, context).message).join('');
    });
  });

  it('in --json, which reads as it was', () => {
    fc.assert(
      fc.property(escapes, (text) => {
        const line = eventLine({
          type: 'attempt.note',
          worker: WORKER,
          text,
          at: NOW,
          session: sessionId('s'),
        });
        expect(obeyed(line)).toBe('');
        expect(JSON.parse(line)).toMatchObject({ text });
      }),
    );
  });

  it('in sessions list and show, and in cooldown list', async () => {
    await fc.assert(
      fc.asyncProperty(escapes, async (text) => {
        const { io, seen } = anIo(tempFolder());
        const attempt = {
          ...{
            worker: WORKER,
            seat: seatId('claude'),
            model: text,
            how: 'prompt',
            startedAt: NOW,
            endedAt: NOW,
          },
          ...{ outcome: 'failed', reason: text, committed: true, conversation: text, lastResort: false },
          ...{ tools: [{ name: text, detail: text, status: 'done' }], droppedTools: 0, lastWords: text },
        };
        const session = aSession();
        const request = { ...session.request, task: `${text}x`, directory: text, model: text };
        const store = sessionsOf(io);
        store.save({ ...session, request, text, attempts: [attempt] } as unknown as typeof session);
        await store.saved(session.id);
        await cooldownsOf(io).record({
          ...{
            target: { type: 'model', seat: seatId('claude'), model: text },
            worker: WORKER,
            kind: 'rate-limit',
          },
          ...{ since: NOW, until: epochMs(NOW + 60_000), source: 'text', reason: text, evidence: text },
        });
        await listSessions(io, {});
        await showSession(io, session.id, {});
        await listCooldowns(io, {});
        await listSessions(io, { json: true });
        await listCooldowns(io, { json: true });
        await addCooldown(io, text, { for: durationMs(1) });
        expect(seen()).toContain(session.id);
        expect(obeyed(seen())).toBe('');
      }),
      { numRuns: 15 },
    );
  });
});
