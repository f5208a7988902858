import type { Command } from 'commander';
import type { HistoryFlags } from '../commands/quota-history.ts';
import { DURATIONS } from '../help.ts';
import { nonEmpty, positiveDuration } from '../option-values.ts';
import type { Declaring } from './declaring.ts';
import { defaultCommand } from './default-command.ts';

interface JsonFlag {
  readonly json?: boolean;
}

const LIST_JSON = `With --json, a list (fields may be added, never changed; what is not known is null):
  [{ "seat", "window", "state", "usedPercent", "resetAt", "resetsInMs", "observedAt", "ageMs", "source" }]
  state: known; reset (it has begun anew since it was seen); unknown
  source: event (a CLI said so as it ran), file (it noted it on disk), refusal, probe (it was asked), header,
    run (one that went through: the window has room, nobody knows how much)`;

const HISTORY_JSON = `With --json, one object (fields may be added, never changed; what is not known is null):
  { "since", "until",
    "samples": [{ "at", "seat", "window", "source", "sessions", "usedPercent", "resetAt", "costUsd" }],
    "windows": [{ "seat", "window", "samples", "sessions", "costUsd", "usedPercent", "highestPercent", "filled", "filledAt": […], "resets", "resetAt": […] }] }
  sessions and costUsd: what ended on the seat since the window's sample before; costs are what Claude Code itself reckons
  filled and resets: how often; filledAt and resetAt: when (the newest 200)
With --csv, the samples, a line each, under a line of names.`;

export function declareQuota(program: Command, { io, done }: Declaring): void {
  const quota = program
    .command('quota')
    .description('how full the quota windows are, when they are reset, and how it was');
  defaultCommand(quota, 'list')
    .description('list every window as it was last seen; nobody is asked')
    .option('--json', 'as JSON')
    .addHelpText('after', `\n${LIST_JSON}`)
    .action(async (flags: JsonFlag) => {
      done(await (await import('../commands/quota.ts')).listQuota(io, flags));
    });
  quota
    .command('history')
    .description('how full each window was over time, when it filled and when it was reset')
    .option('--since <duration>', 'from so long ago on (default: 7d)', positiveDuration)
    .option('--seat <seat>', 'of this seat alone', nonEmpty)
    .option('--json', 'as JSON')
    .option('--csv', 'as comma separated values')
    .addHelpText('after', `\n${DURATIONS}\n\n${HISTORY_JSON}`)
    .action(async (flags: HistoryFlags) => {
      done(await (await import('../commands/quota-history.ts')).quotaHistory(io, flags));
    });
  quota
    .command('poll')
    .description('ask every seat once, through its own CLI and without spending tokens')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
What it learns is shown by secondwind quota, and by itself changes nothing: no worker rests or comes back over it. To poll while runs last, in config.json:
  "quota": { "poll": "15m" }

With --json, a list (fields may be added, never changed; what is not known is null):
  [{ "worker", "seat", "result", "windows": [{ "window", "usedPercent", "resetAt" }], "why", "until" }]
  result: seen; unknown (no answer); paused (its provider asked to be left alone until then); cannot`,
    )
    .action(async (flags: JsonFlag) => {
      done(await (await import('../commands/quota-poll.ts')).pollQuota(io, flags));
    });
}
