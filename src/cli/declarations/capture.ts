import type { Command } from 'commander';
import type { CaptureFlags } from '../commands/capture.ts';
import { nonEmpty, positiveDuration } from '../option-values.ts';
import type { Declaring } from './declaring.ts';

export function declareCapture(program: Command, { io, extraArgs, done }: Declaring): void {
  program
    .command('capture')
    .description('record a run of a CLI, without secrets and personal details, to replay it and to report it')
    .usage('[options] -- <cli> [arguments...]')
    .option('-o, --output <dir>', 'the folder to write (default: capture-<cli>-<time> here)', nonEmpty)
    .option('-a, --adapter <name>', "which CLI it is, where its program's name does not say so")
    .option(
      '--timeout <duration>',
      'end it after this time (default: when it ends, or at Ctrl-C)',
      positiveDuration,
    )
    .addHelpText(
      'after',
      `
Writes stream.jsonl (each line with its time), capture.json (version, start, time zone, exit), expected.json (a draft: what secondwind makes of it) and, for Codex, rollout.jsonl (its last reading of its windows).

Examples:
  secondwind capture -- claude -p 'say hi' --output-format stream-json --verbose
  secondwind capture -o ./limit -- codex exec --json 'say hi'
  secondwind selftest --fixtures ./limit`,
    )
    .action(async (flags: CaptureFlags) => {
      done(await (await import('../commands/capture.ts')).capture(io, flags, extraArgs));
    });
}
