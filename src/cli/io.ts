import { harmlessLine } from '../core/harmless.ts';
import type { EpochMs, WallTime } from '../core/time.ts';
import type { Host, Notice, Refusal } from '../library/host.ts';
import type { FleetOptions } from '../library/options.ts';
import type { Terminal } from '../system/terminal.ts';
import { EXIT } from './exit-codes.ts';

/** The world as a command sees it. */
export interface Io extends Host {
  readonly terminal: Terminal;
  /** The clock of `zone`, where it is to be had without asking for the zone's name. */
  readonly wallTime?: ((instant: EpochMs) => WallTime) | undefined;
}

/** Notices go to stderr, as everything that a person watches. */
export function noticesTo({ err }: Pick<Terminal, 'err'>): (notice: Notice) => void {
  return ({ about, message }) => {
    err(`${about === 'worktree' ? about : 'secondwind'}: ${harmlessLine(message)}\n`);
  };
}

/** How the command line spells the options of a fleet that can be refused. */
const FLAGS: Readonly<Partial<Record<keyof FleetOptions, string>>> = {
  directory: '--cd',
  workers: '--workers',
};

/** Says why not, after what it is about, if that has to be said. Returns the exit code. */
export function refuse(
  { terminal }: Pick<Io, 'terminal'>,
  { reason, option, message }: Refusal,
  about = '',
): number {
  const flag = option === undefined ? undefined : FLAGS[option];
  terminal.err(`secondwind: ${harmlessLine(`${about}${flag === undefined ? '' : `${flag}: `}${message}`)}\n`);
  return EXIT[reason];
}
