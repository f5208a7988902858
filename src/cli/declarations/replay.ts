import type { Command } from 'commander';
import type { ReplayFlags } from '../commands/replay.ts';
import { duration, exitCode, instant } from '../option-values.ts';
import type { Declaring } from './declaring.ts';

export function declareReplay(program: Command, { io, done }: Declaring): void {
  program
    .command('replay')
    .description('what would secondwind make of this output? spawns nothing, writes nothing')
    .argument('<file>', "a capture ({t, ch, line} a line) or a CLI's plain output; '-' is stdin")
    .option('-a, --adapter <name>', 'which CLI printed it: claude, codex or gemini')
    .option('--now <instant>', 'when it was started, ISO 8601 (default: as captured, else now)', instant)
    .option(
      '--tz <zone>',
      "the CLI's time zone, such as Europe/Berlin (default: as captured, else this machine's)",
    )
    .option('--exit <code>', 'how the CLI exited (default: as captured, else it is still running)', exitCode)
    .option('--patience <duration>', 'as in run', duration)
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  claude -p "hi" --output-format stream-json --verbose | secondwind replay --adapter claude --exit 1 -',
    )
    .action(async (file: string, flags: ReplayFlags) => {
      done(await (await import('../commands/replay.ts')).replayFile(io, file, flags));
    });
}
