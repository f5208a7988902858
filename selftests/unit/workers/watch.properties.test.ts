import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SignalKind } from '../../../src/core/signal.ts';
import { MINUTE } from '../../../src/core/time.ts';
import { progress, retry, watch } from '../../rig/watching.ts';

const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<SignalKind>('rate-limit', 'connection-failure', 'overloaded') },
  { weight: 1, arbitrary: fc.constantFrom<SignalKind>('auth-failure', 'server-error') },
  { weight: 2, arbitrary: fc.constant(undefined) },
);

const anySteps = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 0, max: 90_000 }),
      kind: anyStep,
      delay: fc.option(fc.integer({ min: 0, max: 2 * MINUTE }), { nil: undefined }),
    }),
    { maxLength: 15 },
  )
  .map((parts) => {
    let t = 0;
    return parts.map(({ pause, kind, delay }) => {
      t += pause;
      return kind === undefined ? progress(t) : retry(t, kind, delay);
    });
  });

it('never ends an attempt earlier for being more patient', () => {
  const patience = fc.integer({ min: 0, max: 5 * MINUTE });
  fc.assert(
    fc.property(anySteps, patience, patience, (steps, a, b) => {
      const shorter = watch(steps, { patience: Math.min(a, b) })?.step ?? Infinity;
      const longer = watch(steps, { patience: Math.max(a, b) })?.step ?? Infinity;
      expect(longer).toBeGreaterThanOrEqual(shorter);
    }),
    { numRuns: 2_000 },
  );
});

it('never ends an attempt over throttles that recover each within patience', () => {
  const recovering = fc.array(fc.integer({ min: 0, max: MINUTE }), { maxLength: 20 }).map((delays) => {
    let t = 0;
    return delays.flatMap((delay) => {
      const steps = [retry(t, 'rate-limit', delay), progress(t + delay)];
      t += delay + 1;
      return steps;
    });
  });
  fc.assert(
    fc.property(recovering, (steps) => {
      expect(watch(steps)).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});
