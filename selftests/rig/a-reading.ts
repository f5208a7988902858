import { seatId } from '../../src/core/ids.ts';
import type { QuotaReading } from '../../src/core/quota.ts';
import type { Rule } from '../../src/core/rule.ts';
import { epochMs, HOUR, MINUTE } from '../../src/core/time.ts';
import { NOW } from './a-cooldown.ts';

/** Of the five-hour window of seat `work`, half full, seen this moment. */
export function aReading(
  overrides: Partial<Omit<QuotaReading, 'seat'>> & { readonly seat?: string } = {},
): QuotaReading {
  const { seat = 'work', ...rest } = overrides;
  return {
    ...{ window: '5h', usedPercent: 50, resetAt: epochMs(NOW + 2 * HOUR), observedAt: NOW, source: 'event' },
    ...rest,
    seat: seatId(seat),
  };
}

/** Prefers others when the five-hour window of seat `work` is at 90 % or more, seen a quarter of an hour ago at most. */
export function aRule(
  overrides: Partial<Omit<Rule['when'], 'seat'>> & {
    readonly seat?: string;
    readonly then?: Rule['then'];
    readonly note?: string;
  } = {},
): Rule {
  const { seat = 'work', then = 'prefer-others', note, ...when } = overrides;
  const fresh = { freshWithin: (15 * MINUTE) as Rule['when']['freshWithin'], usedPercent: { gte: 90 } };
  return { when: { window: '5h', ...fresh, ...when, seat: seatId(seat) }, then, note };
}
