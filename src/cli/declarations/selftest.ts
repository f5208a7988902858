import type { Command } from 'commander';
import { Option } from 'commander';
import type { DurationMs } from '../../core/time.ts';
import { positiveDuration } from '../option-values.ts';
import type { Declaring } from './declaring.ts';

const GROUPS = `Groups of cases, as patterns:
  seat-exhaustion   a seat, or a model on it, is used up: a closed window or no credits
  cli-usage-limit   a CLI says that its usage limit is reached, the seat's or a model's
  cooldown-until    the provider names when room is back, and the rest ends then
  traps             agents and tools that quote refusals, and must start no rest
  recoveries        trouble that the CLI's own retries overcome, and that must be left to them`;

const JSON_FORM = `With --json, one object (fields may be added, never changed):
  { "ok", "passed", "failed",
    "cases": [{ "cli", "case", "ok", "groups", "version", "lines",
      "found": what replay --json prints,
      "differences": [{ "path", "expected", "found" }],
      "at": { "line", "text", "position", "files" } when it failed,
      "error" when it cannot be read }] }
with --live:
  { "ok", "passed", "failed", "durationMs", "strays",
    "clis": [{ "name", "cli", "command", "version", "coverage", "ok", "gaveUp", "misdeeds",
      "unknown": [{ "what", "name", "count", "evidence" }],
      "cases": [{ "case", "ok", "expected", "happened", "problems", "calls", "unknown", "reactionMs", "durationMs",
        "lines", "stderr", "rule" when it failed }] }] }`;

interface SelftestFlags {
  readonly live?: boolean;
  readonly fixtures?: string;
  readonly json?: boolean;
  readonly timeout?: DurationMs;
}

export function declareSelftest(program: Command, { io, done }: Declaring): void {
  program
    .command('selftest')
    .description(
      'prove that secondwind understands the CLIs: recorded runs, or with --live those installed here',
    )
    .argument(
      '[pattern...]',
      "parts of a case's name (claude, gemini/daily, *-quota-*), or groups; with --live: names of CLIs",
    )
    .addOption(
      new Option(
        '--live',
        'drive the CLIs that are installed here into every refusal, against a provider on 127.0.0.1; no account, no token; half a minute for each CLI, more on a busy machine',
      ).conflicts('fixtures'),
    )
    .option(
      '--timeout <duration>',
      'with --live: how long each case is given (default: 60s)',
      positiveDuration,
    )
    .option('--fixtures <dir>', 'replay the recorded runs in this folder, as secondwind capture writes them')
    .option('--json', 'as JSON')
    .addHelpText('after', `\n${GROUPS}\n\n${JSON_FORM}`)
    .addHelpText(
      'after',
      `
Examples:
  secondwind selftest
  secondwind selftest traps claude/seat
  secondwind selftest --live
  secondwind selftest --live codex --json
  secondwind selftest --fixtures ./my-captures`,
    )
    .action(async (patterns: readonly string[], flags: SelftestFlags) => {
      if (flags.live === true) {
        done(await (await import('../commands/selftest-live.ts')).selftestLive(io, patterns, flags));
        return;
      }
      done(await (await import('../commands/selftest.ts')).selftest(io, patterns, flags));
    });
}
