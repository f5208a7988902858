import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Health } from '../../../src/core/health.ts';
import { noted } from '../../../src/core/health.ts';
import type { CooldownState } from '../../../src/core/merge.ts';
import { join, NOTHING_KNOWN } from '../../../src/core/merge.ts';
import { DEFAULT_RESTS } from '../../../src/core/policy.ts';
import { isCooldownKind, SIGNAL_KINDS } from '../../../src/core/signal.ts';
import type { EpochMs } from '../../../src/core/time.ts';
import { epochMs, SECOND } from '../../../src/core/time.ts';
import type { Worker } from '../../../src/core/worker.ts';
import { healthNoteOf, heldInVain, judge } from '../../../src/fleet/judge.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { openHealth } from '../../../src/store/health.ts';
import { systemClock } from '../../../src/system/clock.ts';
import type { Ending } from '../../../src/workers/ending.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aSignal, aWorker } from '../../rig/builders.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

interface Happening {
  readonly worker: Worker;
  readonly ending: Ending;
  readonly at: EpochMs;
}

const anEnding: fc.Arbitrary<Ending> = fc.oneof(
  fc.constant<Ending>({ type: 'done', text: 'All done.' }),
  fc
    .record({
      kind: fc.constantFrom(...SIGNAL_KINDS),
      scope: fc.constantFrom('seat' as const, 'workspace' as const),
    })
    .map((signal): Ending => ({ type: 'refused', signal: aSignal(signal) })),
  fc
    .constantFrom(undefined, ...SIGNAL_KINDS)
    .map((trouble): Ending => ({ type: 'stopped', because: 'idle', trouble })),
  fc.constant<Ending>({ type: 'stopped', because: 'aborted' }),
  fc
    .record({ recognised: fc.boolean(), died: fc.constantFrom({}, { died: true as const }) })
    .map(({ recognised, died }): Ending => ({
      type: 'failed',
      reason: 'x',
      evidence: '',
      recognised,
      ...died,
    })),
);

const aHistory: fc.Arbitrary<readonly Happening[]> = fc
  .array(
    fc.record({
      worker: fc.constantFrom(...['w0', 'w1', 'w2'].map((id) => aWorker({ id }))),
      ending: anEnding,
      after: fc.integer({ min: 0, max: 600 }),
    }),
    { maxLength: 40 },
  )
  .map((parts) => {
    let at: number = NOW;
    return parts.map(({ worker, ending, after }) => ({
      worker,
      ending,
      at: epochMs((at += after * SECOND)),
    }));
  });

/** What an end means to either ledger, as a session that was held in vain has it. */
function meanings({ worker, ending, at }: Happening) {
  const consequence = judge(ending, worker, DEFAULT_RESTS, at);
  const note = consequence.type === 'hold' ? heldInVain(worker, at) : healthNoteOf(ending, worker, at);
  return { note, cooldown: consequence.type === 'rest' ? consequence.cooldown : undefined };
}

/** Said here once more, in other words than the code's: what a person would call a matter of quota. */
function isQuota({ ending }: Happening): boolean {
  const kind =
    ending.type === 'refused' ? ending.signal.kind : ending.type === 'stopped' ? ending.trouble : undefined;
  return kind !== undefined && isCooldownKind(kind);
}

/** And what a person would call the machinery's fault. */
function isHealth({ ending }: Happening): boolean {
  switch (ending.type) {
    case 'done':
      return false;
    case 'failed':
      return ending.died === true && !ending.recognised;
    case 'refused':
      return ending.signal.kind === 'server-error' || ending.signal.kind === 'overloaded';
    case 'stopped':
      return ending.because === 'idle' && (ending.trouble === undefined || !isCooldownKind(ending.trouble));
  }
}

function healthAfter(history: readonly Happening[]): readonly Health[] {
  return history.reduce<readonly Health[]>((known, happening) => {
    const { note } = meanings(happening);
    return note === undefined ? known : noted(known, note);
  }, []);
}

function cooldownsAfter(history: readonly Happening[]): CooldownState {
  return history.reduce((known, happening) => {
    const { cooldown } = meanings(happening);
    if (cooldown !== undefined) return join(known, { ...NOTHING_KNOWN, cooldowns: [cooldown] });
    if (happening.ending.type !== 'done') return known;
    const target = { type: 'seat', seat: happening.worker.seat } as const;
    const clearance = { target, kind: undefined, at: happening.at, by: 'clean-run' } as const;
    return join(known, { ...NOTHING_KNOWN, clearances: [clearance] });
  }, NOTHING_KNOWN);
}

const bits = (state: unknown): string => JSON.stringify(state);

it('leaves health the same bit for bit when all that was quota had not happened', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      const without = history.filter((happening) => !isQuota(happening));
      expect(bits(healthAfter(history))).toBe(bits(healthAfter(without)));
    }),
    { numRuns: 2_000 },
  );
});

it('leaves cooldowns the same bit for bit when all that was bad health had not happened', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      const without = history.filter((happening) => !isHealth(happening));
      expect(bits(cooldownsAfter(history))).toBe(bits(cooldownsAfter(without)));
    }),
    { numRuns: 2_000 },
  );
});

it('counts an end as health, or as a cooldown, or as neither, and as a person would', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      for (const happening of history) {
        const { note, cooldown } = meanings(happening);
        expect(note?.type === 'failure').toBe(isHealth(happening));
        expect(cooldown !== undefined).toBe(isQuota(happening) && happening.ending.type === 'refused');
      }
    }),
  );
});

it('keeps the two files apart to the last byte', async () => {
  const write = async (history: readonly Happening[]) => {
    const home = tempFolder();
    let now: EpochMs = NOW;
    const options = { home, clock: { ...systemClock, now: () => now }, report: () => undefined };
    const [cooldowns, health] = [openCooldowns(options), openHealth(options)];
    for (const happening of history) {
      now = happening.at;
      const { note, cooldown } = meanings(happening);
      if (cooldown !== undefined) expect(await cooldowns.record(cooldown)).toMatchObject({ ok: true });
      if (note !== undefined) expect(await health.note(note)).toMatchObject({ ok: true });
    }
    const [c, h] = ['cooldowns.json', 'health.json'].map((name) => `${home}/${name}`) as [string, string];
    return { cooldowns: contentOf(c), health: contentOf(h) };
  };
  await fc.assert(
    fc.asyncProperty(aHistory, async (history) => {
      const both = await write(history);
      const healthOnly = await write(history.filter((happening) => !isQuota(happening)));
      const quotaOnly = await write(history.filter((happening) => !isHealth(happening)));
      expect(healthOnly.health).toBe(both.health);
      expect(quotaOnly.cooldowns).toBe(both.cooldowns);
    }),
    { numRuns: 10 },
  );
});

function contentOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
