import { expect, it } from 'vitest';
import type { Cooldown } from '../../../src/core/cooldown.ts';
import type { HealthNote } from '../../../src/core/health.ts';
import { causeOf, HEALTH_CAUSES, noted } from '../../../src/core/health.ts';
import type { CooldownKind, Signal } from '../../../src/core/signal.ts';
import { COOLDOWN_KINDS } from '../../../src/core/signal.ts';
import { workerId } from '../../../src/core/ids.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';

// Promise 5, by the compiler: `tsc` fails where one of these lines compiles. None of this code runs.

const worker = workerId('codex');

export function quotaCannotBeSaidToHealth(kind: CooldownKind, signal: Signal): readonly unknown[] {
  return [
    // @ts-expect-error a kind of cooldown is no cause of bad health
    noted([], { type: 'failure', worker, cause: kind, at: NOW }),
    // @ts-expect-error nor is the kind of a signal that might be one
    noted([], { type: 'failure', worker, cause: signal.kind, at: NOW }),
    // @ts-expect-error no signal is a note by itself
    noted([], signal),
    // @ts-expect-error no cooldown is a note by itself
    noted([], aCooldown()),
    // @ts-expect-error what is asked for a cause is known to be no kind of cooldown
    causeOf(kind),
    // @ts-expect-error nor may it be one
    causeOf(signal.kind),
  ];
}

export function healthCannotBeSaidToCooldowns(
  note: Extract<HealthNote, { type: 'failure' }>,
): readonly Cooldown[] {
  return [
    // @ts-expect-error a cause of bad health is no kind of cooldown
    { ...aCooldown(), kind: note.cause },
    // @ts-expect-error no note is a cooldown by itself
    note,
  ];
}

it('has no word that is both a kind of cooldown and a cause of bad health', () => {
  expect(HEALTH_CAUSES.filter((cause) => (COOLDOWN_KINDS as readonly string[]).includes(cause))).toEqual([]);
  expect(causeOf('overloaded')).toBe('server-error');
});
