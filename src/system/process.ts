import { availableParallelism } from 'node:os';
import { isErrno } from './system-error.ts';

/** This process, as `src/cli/main.ts` needs it. */

export function commandLine(): readonly string[] {
  return process.argv.slice(2);
}

/**
 * The work of this process, which resolves with the code that Node exits with once everything that is still going on has
 * ended. One that ends before its work is over, as nothing is left to wait for, exits with `unfinished`.
 */
export function exitWith(work: Promise<number>, unfinished: number): void {
  const onEnd = (): void => {
    process.exitCode = unfinished;
  };
  process.once('beforeExit', onEnd);
  void work.then((code) => {
    process.off('beforeExit', onEnd);
    process.exitCode = code;
  });
}

export const STOP_SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;
export type StopSignal = keyof typeof STOP_SIGNALS;

/**
 * Calls `stop` at the first signal, so that children are ended before we are, and `again` at every later one, with how
 * many there were by then. Returns how to take the handlers off again.
 */
export function onStopSignals(
  stop: (signal: StopSignal) => void,
  again: (signal: StopSignal, count: number) => void,
): () => void {
  let count = 0;
  const handlers = (Object.keys(STOP_SIGNALS) as StopSignal[]).map((signal) => {
    const handler = (): void => {
      count += 1;
      if (count === 1) stop(signal);
      else again(signal, count);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const takeOff of handlers) takeOff();
  };
}

const hastyDeeds = new Set<() => void>();

/** What ends at once whatever else would be waited for, when `hasten` is called. Returns how to take it off again. */
export function whenHastened(deed: () => void): () => void {
  hastyDeeds.add(deed);
  return () => hastyDeeds.delete(deed);
}

/** Somebody does not want to wait: what is being ended is ended at once, and what follows of it takes its course. */
export function hasten(): void {
  for (const deed of hastyDeeds) deed();
}

const lastDeeds = new Set<() => void>();

/**
 * What is done, at once and without waiting, before this process ends: by `exitNow`, by anybody's `process.exit` (we may be
 * the library of another program) or over an error that nobody caught. Returns how to take it off again.
 */
export function beforeExit(deed: () => void): () => void {
  if (lastDeeds.size === 0) process.on('exit', doLastDeeds);
  lastDeeds.add(deed);
  return () => {
    lastDeeds.delete(deed);
    if (lastDeeds.size === 0) process.off('exit', doLastDeeds);
  };
}

function doLastDeeds(): void {
  const deeds = [...lastDeeds];
  lastDeeds.clear();
  doEach(deeds);
}

/** Each of them whatever another throws, which is thrown when all are done. */
function doEach([deed, ...others]: readonly (() => void)[]): void {
  try {
    deed?.();
  } finally {
    if (others.length > 0) doEach(others);
  }
}

/** Ends this process at once, and leaves nobody behind. */
export function exitNow(code: number): never {
  doLastDeeds();
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
