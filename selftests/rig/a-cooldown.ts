import type { Clearance, Cooldown } from '../../src/core/cooldown.ts';
import { seatId, workerId } from '../../src/core/ids.ts';
import { epochMs } from '../../src/core/time.ts';

/** The hour at which most tests take place: 2026-11-29 20:00 UTC. */
export const NOW = epochMs(Date.UTC(2026, 10, 29, 20));

export function aCooldown(overrides: Partial<Cooldown> = {}): Cooldown {
  return {
    target: { type: 'seat', seat: seatId('work') },
    worker: workerId('claude-work'),
    kind: 'rate-limit',
    since: NOW,
    until: epochMs(NOW + 5 * 3_600_000),
    source: 'event',
    reason: 'five-hour limit',
    evidence: '{"type":"rate_limit_event"}',
    ...overrides,
  };
}

export function aClearance(overrides: Partial<Clearance> = {}): Clearance {
  return { target: undefined, kind: undefined, at: NOW, by: 'operator', ...overrides };
}
