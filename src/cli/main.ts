import { harmless, harmlessLine } from '../core/harmless.ts';
import { systemClock } from '../system/clock.ts';
import { homeDirectory, stateHome, systemZone, variables, workingDirectory } from '../system/environment.ts';
import { localTime } from '../system/local-time.ts';
import { commandLine, exitWith, onBug } from '../system/process.ts';
import { systemTerminal } from '../system/terminal.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';
import { noticesTo } from './io.ts';
import { VERSION } from './version.ts';

/** The one place that sets the exit code. Commands return theirs; what is thrown is a bug. */
async function main(): Promise<number> {
  const env = variables();
  const terminal = systemTerminal();
  onBug((error) => tellBug(error, env['SECONDWIND_DEBUG'] === '1', terminal.err));
  const argv = commandLine();
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    terminal.out(`${VERSION}\n`);
    return EXIT.done;
  }
  const directory = workingDirectory();
  if (directory === undefined) {
    terminal.err(
      'secondwind: the directory that this was started in is gone; change to one that is there.\n',
    );
    return EXIT.usage;
  }
  const io: Io = {
    ...{
      terminal,
      report: noticesTo(terminal),
      clock: systemClock,
      env,
      home: homeDirectory(env),
      stateHome: stateHome(env),
    },
    ...{ directory, wallTime: localTime },
    // Asking costs a fifth of a start, and most commands show no time of day.
    get zone() {
      return systemZone();
    },
  };
  const code = await answer(io, argv);
  const refusal = await terminal.outTaken();
  if (refusal === undefined) return code;
  terminal.err(`secondwind: stdout could not be written to the end: ${refusal}.\n`);
  return code === EXIT.done ? EXIT.failed : code;
}

async function answer(io: Io, argv: readonly string[]): Promise<number> {
  if (asksWhoRests(argv)) {
    const { listCooldowns } = await import('./commands/cooldown-list.ts');
    return listCooldowns(io, { json: argv.includes('--json') });
  }
  const { parse } = await import('./parse.ts');
  return parse(io, argv, VERSION);
}

/** What prompts and scripts ask all the time is answered without a parser of command lines, which costs half a start. */
function asksWhoRests(argv: readonly string[]): boolean {
  const words = argv.filter((word, at) => !(at === 1 && word === 'list'));
  return words[0] === 'cooldown' && words.slice(1).every((word) => word === '--json');
}

function tellBug(error: unknown, debug: boolean, err: (text: string) => void): number {
  const said = harmlessLine(error instanceof Error ? error.message : String(error));
  const stack = debug && error instanceof Error ? `\n${harmless(error.stack ?? '')}` : '';
  err(
    `secondwind: this is a bug of ours: ${said}.${stack}\n` +
      'Please report it with the command you ran and the output of SECONDWIND_DEBUG=1.\n',
  );
  return EXIT.bug;
}

exitWith(main(), EXIT.bug);
