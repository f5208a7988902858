import * as z from 'zod';
import { seatId } from '../core/ids.ts';
import type { Rule } from '../core/rule.ts';
import { RULE_ACTIONS } from '../core/rule.ts';
import type { DurationMs } from '../core/time.ts';
import { formatDuration, MINUTE } from '../core/time.ts';

/** More often says nothing new, and asks a provider for nothing. */
const SHORTEST_POLL = MINUTE;

/** What `config.json` says of quota: only the operator's own file does, as a cloned repository has no say in it. */
export function quotaSettings(id: z.ZodType<string>, duration: z.ZodType<DurationMs>) {
  const when = z.strictObject({
    seat: id.describe('The seat whose window is looked at.'),
    window: z.string().min(1).describe('The window, as secondwind quota names it: "5h", "7d", "7d opus".'),
    usedPercent: z
      .strictObject({ gte: z.number().min(0).max(200).describe('Matches from here on, in percent.') })
      .describe('How full the window has to be.'),
    freshWithin: duration.describe('How old the reading may be: "15m". An older one matches nothing.'),
  });
  const rule = z
    .strictObject({
      when: when.describe('What has to be known for it to match.'),
      then: z
        .enum(RULE_ACTIONS)
        .describe(
          'prefer-others: whoever else can is asked first. avoid-new-sessions: so it is where a session begins.',
        ),
      note: z.string().optional().describe('Why, for whoever reads of it later.'),
    })
    .transform(({ when: { seat, ...what }, then, note }): Rule => ({
      ...{ when: { ...what, seat: seatId(seat) }, then, note },
    }));
  return {
    rules: z
      .array(rule)
      .optional()
      .describe(
        'Rules that put a worker behind others before its window is full. They never refuse anything.',
      ),
    quota: z
      .strictObject({
        poll: duration
          .refine(
            (every) => every >= SHORTEST_POLL,
            `expected at least ${formatDuration(SHORTEST_POLL)}, or no poll at all`,
          )
          .optional()
          .describe('While a run lasts, ask every so long how full the windows are: "15m". Default: never.'),
      })
      .optional()
      .describe('How quota windows are watched.'),
    retentionDays: z
      .number()
      .int()
      .min(1)
      .max(3_650)
      .optional()
      .describe('For how many days the ledger and sessions are kept. Default: 30.'),
  };
}
