import type { Command } from 'commander';
import type { SelftestFlags } from '../commands/selftest.ts';
import type { Declaring } from './declaring.ts';

const GROUPS = `Groups of cases, as patterns:
  seat-exhaustion   a seat, or a model on it, is used up: a closed window or no credits
  cli-usage-limit   a CLI says that its usage limit is reached, the seat's or a model's
  cooldown-until    the provider names when room is back, and the rest ends then
  traps             agents and tools that quote refusals, and must start no rest
  recoveries        trouble that the CLI's own retries overcome, and that must be left to them`;

const JSON_FORM = `With --json, one object (fields may be added, never changed):
  { "ok", "passed", "failed", "cases": [{ "cli", "case", "ok", "groups", "version", "lines",
    "found": what replay --json prints, "differences": [{ "path", "expected", "found" }],
    "at": { "line", "text", "position", "files" } when it failed, "error" when it cannot be read }] }`;

export function declareSelftest(program: Command, { io, done }: Declaring): void {
  program
    .command('selftest')
    .description('prove that secondwind understands the CLIs: replay recorded runs')
    .argument('[pattern...]', "parts of a case's name (claude, gemini/daily, *-quota-*), or groups")
    .option('--fixtures <dir>', 'replay the recorded runs in this folder, as secondwind capture writes them')
    .option('--json', 'as JSON')
    .addHelpText('after', `\n${GROUPS}\n\n${JSON_FORM}`)
    .addHelpText(
      'after',
      `
Examples:
  secondwind selftest
  secondwind selftest traps claude/seat
  secondwind selftest --fixtures ./my-captures`,
    )
    .action(async (patterns: readonly string[], flags: SelftestFlags) => {
      done(await (await import('../commands/selftest.ts')).selftest(io, patterns, flags));
    });
}
