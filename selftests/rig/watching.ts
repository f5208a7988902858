import type { Signal, SignalKind } from '../../src/core/signal.ts';
import { durationMs, epochMs, MINUTE } from '../../src/core/time.ts';
import type { Observation, Reader, Verdict } from '../../src/workers/adapter.ts';
import { Watch } from '../../src/workers/watch.ts';
import { NOW } from './a-cooldown.ts';
import { aLine, aRetry, aSignal } from './builders.ts';

export interface Step {
  /** Milliseconds after the start. */
  readonly t: number;
  readonly sees: readonly Observation[];
}

export const OWN_END: Verdict = { type: 'done', text: 'All done.' };

/** A reader that has read a CLI already: each line says what the step at hand saw. */
export function scripted(steps: readonly Step[]): Reader {
  let next = 0;
  return { push: () => steps[next++]?.sees ?? [], end: () => OWN_END, unknown: () => [] };
}

interface Watched {
  /** At which step (from 0) the attempt was to be ended. */
  readonly step: number;
  readonly signal: Signal;
}

export function watch(
  steps: readonly Step[],
  { patience = 60_000, hold = 20 * MINUTE } = {},
): Watched | undefined {
  const watching = new Watch(scripted(steps), {
    patienceMs: durationMs(patience),
    holdMs: durationMs(hold),
  });
  for (const [step, { t }] of steps.entries()) {
    const { end } = watching.push(aLine({ at: epochMs(NOW + t) }));
    if (end !== undefined) return { step, signal: end };
  }
  return undefined;
}

export const retry = (t: number, kind: SignalKind, delay?: number, signal: Partial<Signal> = {}): Step => ({
  t,
  sees: [
    aRetry({
      delayMs: delay === undefined ? undefined : durationMs(delay),
      signal: aSignal({ kind, ...signal }),
    }),
  ],
});
export const progress = (t: number): Step => ({ t, sees: [{ type: 'progress' }] });
export const text = (t: number): Step => ({ t, sees: [{ type: 'text', text: 'Looking.', delta: false }] });
export const tool = (t: number): Step => ({
  t,
  sees: [{ type: 'tool', id: '1', name: 'Bash', detail: 'ls', status: 'started' }],
});
