import type { DurationMs } from '../../core/time.ts';
import { durationMs, SECOND } from '../../core/time.ts';
import type { StartChild } from '../../system/child.ts';
import type { Clock } from '../../system/clock.ts';
import { killAtOnce, nodeProgram } from '../../system/process.ts';
import { packageRoot } from '../../system/package-root.ts';
import type { ProductEvent } from './judge-run.ts';

export interface ProductRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How long the product is given; then it is killed with all that it started. */
  readonly limit: DurationMs;
  readonly abort: AbortSignal;
  /** Asked again and again; once it says so, the product alone is killed, as a crash would end it. */
  readonly killWhen?: (events: readonly ProductEvent[]) => boolean;
}

export interface ProductEnd {
  readonly events: readonly ProductEvent[];
  /** `undefined`: it was ended by a signal. */
  readonly exitCode: number | undefined;
  /** The last lines of it. */
  readonly stderr: readonly string[];
  readonly timedOut: boolean;
  readonly ms: DurationMs;
}

export interface ProductEffects {
  readonly startChild: StartChild;
  readonly clock: Clock;
}

const KEPT = 20;
const LOOK = durationMs(20);
/** What the product itself takes to end its children before we lose patience with it. */
const GRACE = durationMs(6 * SECOND);

/** Runs `secondwind ARGS…`, this very one, as a child of its own: the command line, the state, the kills are the real ones. */
export async function runProduct(
  run: ProductRun,
  { startChild, clock }: ProductEffects,
): Promise<ProductEnd> {
  const begun = clock.monotonic();
  const started = await startChild({
    program: nodeProgram(),
    args: [`${packageRoot()}/bin/secondwind.js`, ...run.args],
    ...{ cwd: run.cwd, env: run.env, stdin: undefined },
  });
  if (!started.ok) throw new Error(`Internal error: cannot start ourselves: ${started.error.message}`);
  const child = started.value;
  const over = new AbortController();
  let timedOut = false;
  const stop = (): void => void child.end();
  run.abort.addEventListener('abort', stop, { once: true });
  if (run.abort.aborted) stop();
  void clock.sleep(durationMs(run.limit + GRACE), over.signal).then(() => {
    if (over.signal.aborted) return;
    timedOut = true;
    stop();
  });
  const events: ProductEvent[] = [];
  const stderr: string[] = [];
  if (run.killWhen !== undefined)
    void killWhen(() => run.killWhen?.(events) === true, child.pid, over.signal, clock);
  for await (const { channel, text } of child.lines) {
    if (channel === 'stderr') {
      stderr.push(text);
      if (stderr.length > KEPT) stderr.shift();
      continue;
    }
    const event = parsed(text);
    if (event !== undefined) events.push(event);
  }
  const { code } = await child.exited;
  over.abort();
  run.abort.removeEventListener('abort', stop);
  return { events, exitCode: code, stderr, timedOut, ms: durationMs(clock.monotonic() - begun) };
}

async function killWhen(isTime: () => boolean, pid: number, over: AbortSignal, clock: Clock): Promise<void> {
  while (!over.aborted) {
    if (isTime()) {
      killAtOnce(pid);
      return;
    }
    await clock.sleep(LOOK, over);
  }
}

function parsed(text: string): ProductEvent | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text) as Partial<ProductEvent>;
    return typeof value.type === 'string' ? { ...value, type: value.type } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
