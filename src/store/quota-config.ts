import * as v from 'valibot';
import { seatId } from '../core/ids.ts';
import type { Rule } from '../core/rule.ts';
import { RULE_ACTIONS } from '../core/rule.ts';
import type { DurationMs } from '../core/time.ts';
import { formatDuration, MINUTE } from '../core/time.ts';
import { strictObject } from './object-schema.ts';
import { oneOf } from './schema-words.ts';

/** More often says nothing new, and asks a provider for nothing. */
const SHORTEST_POLL = MINUTE;

/** What `config.json` says of quota: only the operator's own file does, as a cloned repository has no say in it. */
export function quotaSettings(
  id: v.GenericSchema<string>,
  duration: (explanation: string) => v.GenericSchema<number | string, DurationMs>,
) {
  const when = strictObject({
    seat: v.pipe(id, v.description('The seat whose window is looked at.')),
    window: v.pipe(
      v.string(),
      v.minLength(1),
      v.description('The window, as secondwind quota names it: "5h", "7d", "7d opus".'),
    ),
    usedPercent: v.pipe(
      strictObject({
        gte: v.pipe(
          v.number(),
          v.finite(),
          v.minValue(0),
          v.maxValue(200),
          v.description('Matches from here on, in percent.'),
        ),
      }),
      v.description('How full the window has to be.'),
    ),
    freshWithin: duration('How old the reading may be: "15m". An older one matches nothing.'),
  });
  const rule: v.GenericSchema<unknown, Rule> = v.pipe(
    strictObject({
      when: v.pipe(when, v.description('What has to be known for it to match.')),
      then: v.pipe(
        oneOf(RULE_ACTIONS),
        v.description(
          'prefer-others: whoever else can is asked first. avoid-new-sessions: so it is where a session begins.',
        ),
      ),
      note: v.optional(v.pipe(v.string(), v.description('Why, for whoever reads of it later.'))),
    }),
    v.transform(({ when: { seat, ...what }, then, note }): Rule => ({
      ...{ when: { ...what, seat: seatId(seat) }, then, note },
    })),
  );
  return {
    rules: v.optional(
      v.pipe(
        v.array(rule),
        v.description(
          'Rules that put a worker behind others before its window is full. They never refuse anything.',
        ),
      ),
    ),
    quota: v.optional(
      v.pipe(
        strictObject({
          poll: v.optional(
            v.pipe(
              duration(
                'While a run lasts, ask every so long how full the windows are: "15m". Default: never.',
              ),
              v.check(
                (every) => every >= SHORTEST_POLL,
                `expected at least ${formatDuration(SHORTEST_POLL)}, or no poll at all`,
              ),
            ),
          ),
        }),
        v.description('How quota windows are watched.'),
      ),
    ),
    retentionDays: v.optional(
      v.pipe(
        v.number(),
        v.safeInteger(),
        v.minValue(1),
        v.maxValue(3_650),
        v.description('For how many days the ledger and sessions are kept. Default: 30.'),
      ),
    ),
  };
}
