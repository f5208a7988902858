import { availableParallelism } from 'node:os';
import { isErrno } from './system-error.ts';

/** This process, as `src/cli/main.ts` needs it. */

export function commandLine(): readonly string[] {
  return process.argv.slice(2);
}

/** The code with which Node exits once everything that is still going on has ended. */
export function setExitCode(code: number): void {
  process.exitCode = code;
}

export const STOP_SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;
export type StopSignal = keyof typeof STOP_SIGNALS;

/**
 * Calls `stop` at the first signal, so that children are ended before we are; at the second SIGINT, `now`. Returns how
 * to take the handlers off again.
 */
export function onStopSignals(
  stop: (signal: StopSignal) => void,
  now: (signal: StopSignal) => void,
): () => void {
  let seen = false;
  const handlers = (Object.keys(STOP_SIGNALS) as StopSignal[]).map((signal) => {
    const handler = (): void => {
      (seen ? now : stop)(signal);
      seen = true;
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const takeOff of handlers) takeOff();
  };
}

const lastDeeds = new Set<() => void>();

/** What is done, at once and without waiting, before `exitNow` ends this process. Returns how to take it off again. */
export function beforeExitNow(deed: () => void): () => void {
  lastDeeds.add(deed);
  return () => lastDeeds.delete(deed);
}

/** Ends this process at once, and leaves nobody behind. */
export function exitNow(code: number): never {
  for (const deed of lastDeeds) deed();
  process.exit(code);
}

/** What nobody caught is a bug: told by `tell`, which returns the code to exit with. */
export function onBug(tell: (error: unknown) => number): void {
  process.on('uncaughtException', (error: unknown) => {
    exitNow(tell(error));
  });
}

/** Kills one process, without a word to it and without those that it started; whether it was there. */
export function killAtOnce(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false;
    throw error;
  }
}

/** How many things this machine can do at once. */
export function parallelism(): number {
  return availableParallelism();
}

/** The Node that runs this. */
export function nodeProgram(): string {
  return process.execPath;
}

/** `v20.19.0`. */
export function nodeVersion(): string {
  return process.version;
}
