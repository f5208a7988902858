import type { Line } from '../../src/core/line.ts';
import { DEFAULT_RESTS } from '../../src/core/policy.ts';
import { durationMs, MINUTE } from '../../src/core/time.ts';
import { healthNoteOf, judge } from '../../src/fleet/judge.ts';
import { loadAdapter } from '../../src/workers/registry.ts';
import { Watch } from '../../src/workers/watch.ts';
import { NOW } from './a-cooldown.ts';
import { aLine, aWorker } from './builders.ts';

/** What a CLI prints, and how it ends when we do not end it. Text is a line of stderr, an object an event on stdout. */
export interface Told {
  readonly lines: readonly (object | string)[];
  readonly exit?: number;
}

/** Which ledger it went to: the kind of the cooldown, the cause of bad health, a hold, or none of them. */
export async function ledgerOf(cli: string, { lines, exit = 1 }: Told): Promise<string> {
  const adapter = await loadAdapter(cli);
  const patience = { patienceMs: MINUTE, holdMs: durationMs(20 * MINUTE) };
  const watch = new Watch(adapter.reader({ zone: 'UTC', model: undefined }), patience);
  for (const told of lines) {
    const line: Line =
      typeof told === 'string'
        ? aLine({ channel: 'stderr', text: told })
        : aLine({ text: JSON.stringify(told) });
    if (watch.push(line).end !== undefined) break;
  }
  const ending = watch.end({ code: exit, signal: undefined }, NOW);
  const consequence = judge(ending, aWorker(), DEFAULT_RESTS, NOW);
  const note = healthNoteOf(ending, aWorker(), NOW);
  if (consequence.type === 'rest') return note === undefined ? consequence.cooldown.kind : 'both';
  if (note?.type === 'failure') return note.cause;
  return consequence.type;
}
