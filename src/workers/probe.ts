import type { DurationMs } from '../core/time.ts';
import type { StartChild } from '../system/child.ts';
import type { Clock } from '../system/clock.ts';
import type { Variables } from '../system/environment.ts';

export interface ProbeEffects {
  readonly startChild: StartChild;
  readonly clock: Clock;
  readonly env: Variables;
  readonly home: string;
}

/** What came of asking a program something. */
export type Asked =
  | {
      readonly type: 'exited';
      readonly code: number | undefined;
      readonly signal: string | undefined;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly type: 'not-started'; readonly code: string }
  | { readonly type: 'too-slow' };

/** More than any answer; what is beyond it is read and dropped, as a full pipe would keep the program from ending. */
const LONGEST_ANSWER = 64 * 1024;

/** Runs a program to its end and keeps what it says, for as long as `atMost`; then it and all it started is ended. */
export async function ask(
  {
    program: [program, ...args],
    directory,
    env,
  }: {
    readonly program: readonly [string, ...string[]];
    readonly directory: string;
    readonly env: Readonly<Record<string, string>>;
  },
  atMost: DurationMs,
  { startChild, clock }: Pick<ProbeEffects, 'startChild' | 'clock'>,
): Promise<Asked> {
  const started = await startChild({ program, args, cwd: directory, env, stdin: undefined });
  if (!started.ok) return { type: 'not-started', code: started.error.code };
  const child = started.value;
  const over = new AbortController();
  const limit = { isReached: false };
  void clock.sleep(atMost, over.signal).then(() => {
    limit.isReached = !over.signal.aborted;
    return child.end();
  });
  const said = { stdout: '', stderr: '' };
  for await (const { channel, text } of child.lines) {
    if (said[channel].length < LONGEST_ANSWER) said[channel] += `${text}\n`;
  }
  over.abort();
  const { code, signal } = await child.exited;
  return limit.isReached ? { type: 'too-slow' } : { type: 'exited', code, signal, ...said };
}
