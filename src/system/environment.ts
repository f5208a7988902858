import { homedir } from 'node:os';
import { join } from 'node:path';
import { isErrno } from './system-error.ts';

/** The variables of a process, as handed to whoever needs one. */
export type Variables = Readonly<Record<string, string | undefined>>;

export function variables(): Variables {
  return process.env;
}

export function homeDirectory(env: Variables): string {
  const home = env['HOME'];
  return home === undefined || home === '' ? homedir() : home;
}

/** `undefined`: somebody has removed it. */
export function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The IANA zone of this machine, which a child without a `TZ` of its own has too. */
export function systemZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Where our state lies: `SECONDWIND_HOME`, else `~/.secondwind`. */
export function stateHome(env: Variables): string {
  const home = env['SECONDWIND_HOME'];
  return home === undefined || home === '' ? join(homeDirectory(env), '.secondwind') : home;
}
