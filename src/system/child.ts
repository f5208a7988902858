import type { Readable, Writable } from 'node:stream';
import type { Exit, Line } from '../core/line.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { durationMs } from '../core/time.ts';
import type { ChunkOfLines } from './channels.ts';
import { merge, oneByOne } from './channels.ts';
import type { Clock } from './clock.ts';
import { endFamily, killFamily } from './family.ts';
import type { Lease } from './lease-folder.ts';
import { unrecordedLease } from './lease-folder.ts';
import { beforeExitNow, whenHastened } from './process.ts';
import { isErrno } from './system-error.ts';

export interface ChildCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The child's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Written and closed; without it stdin is closed from the start. */
  readonly stdin: string | undefined;
  /** Stdin is not closed after that, but when the child ends: some programs take that for being told to go. */
  readonly keepsStdin?: true;
}

/** A running child that leads its own process group. */
export interface Child {
  readonly pid: number;
  /**
   * Both channels in the order in which they were read, no faster than they are taken. Ends when the pipes end,
   * or soon after the group has gone, should somebody outside of it still hold them.
   */
  readonly lines: AsyncIterable<Line>;
  /** The same lines, those together that were read together. Either this is read or `lines` is. */
  readonly chunks: AsyncIterable<ChunkOfLines>;
  readonly exited: Promise<Exit>;
  /** Ends it and all that it started: SIGTERM, two seconds, SIGKILL. May be called at any time and again. */
  end(): Promise<void>;
}

/** The child could not be started: `code` is the system's own (`ENOENT`, `EACCES`, `ENOEXEC`, `E2BIG`). */
export interface StartFailure {
  readonly code: string;
  readonly message: string;
}

export type StartChild = (command: ChildCommand) => Promise<Result<Child, StartFailure>>;

/** How long a pipe that somebody outside the group holds must be quiet to count as finished, and the longest we listen. */
const QUIET = durationMs(100);
const LISTEN = durationMs(1_000);
/**
 * More than a pipe and our own buffer hold together (Linux: 1 MiB at most, pipe(7)): what comes after so many bytes
 * was written when the group had gone.
 */
const IN_FLIGHT_BYTES = 2 * 1024 * 1024;

/**
 * Starts children detached, each as the leader of a group of its own: execa 9 on Node 20 kills only the child
 * itself, and its grandchildren live on and hold the pipes.
 */
export function childStarter(clock: Clock, takeLease: () => Lease = unrecordedLease): StartChild {
  // A third of all code that a run loads: commands that may start children, and mostly start none, do without. Loaded
  // now and not with the first child, which may start hours from now, when another version lies here.
  const loading = import('execa');
  return async (command) => {
    const { execa } = await loading;
    const lease = takeLease();
    const subprocess = execa(command.program, command.args, {
      cwd: command.cwd,
      env: { ...command.env, [lease.mark.name]: lease.mark.value },
      extendEnv: false,
      stdout: 'pipe',
      stderr: 'pipe',
      buffer: false,
      reject: false,
      detached: true,
      cleanup: false,
      ...stdinOf(command),
    });
    const { pid } = subprocess;
    if (pid === undefined) {
      lease.release();
      const failure = await subprocess;
      return err({ code: failure.code ?? 'unknown', message: failure.originalMessage ?? '' });
    }
    lease.startedAs(pid);
    if (command.keepsStdin === true) tell(subprocess.stdin, command.stdin ?? '');
    const family = { leader: pid, mark: `${lease.mark.name}=${lease.mark.value}` };
    let ending: Promise<void> | undefined;
    // Once, as the pid is the system's to give away again when nobody of the family is left.
    const end = (): Promise<void> => (ending ??= endFamily(family, clock).then(lease.release));
    const exited = new Promise<Exit>((resolve) => {
      subprocess.once('exit', (code, signal) => {
        resolve({ code: code ?? undefined, signal: signal ?? undefined });
      });
    });
    const pipes = [subprocess.stdout, subprocess.stderr];
    const unmark = beforeExitNow(() => {
      killFamily(family);
      lease.release();
    });
    const unhaste = whenHastened(() => {
      killFamily(family);
    });
    void exited.then(async () => {
      await end();
      unmark();
      unhaste();
      await release(pipes, clock);
    });
    const chunks = merge(subprocess.stdout, subprocess.stderr, clock);
    return ok({
      pid,
      chunks,
      lines: oneByOne(chunks),
      exited,
      end,
    });
  };
}

function stdinOf({ stdin, keepsStdin }: ChildCommand): { stdin: 'ignore' | 'pipe' } | { input: string } {
  if (keepsStdin === true) return { stdin: 'pipe' };
  return stdin === undefined ? { stdin: 'ignore' } : { input: stdin };
}

/** One that has gone before it was told all is known by its exit. */
function tell(stdin: Writable | null, text: string): void {
  stdin?.on('error', (error) => {
    if (!isErrno(error, 'EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED')) throw error;
  });
  stdin?.write(text);
}

/** Lets go of pipes which a process outside the group holds: once nothing more comes, or after a bounded time. */
async function release(pipes: readonly Readable[], clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + LISTEN;
  const progress = (): number => pipes.reduce((sum, pipe) => sum + bytesRead(pipe), 0);
  const isTaken = (): boolean => pipes.every((pipe) => pipe.readableLength === 0);
  const enough = progress() + IN_FLIGHT_BYTES;
  let before = -1;
  // What the group itself had written is in the pipes' buffers: a slow taker gets all of it, however long it takes.
  while (!pipes.every((pipe) => pipe.closed)) {
    const now = progress();
    if (isTaken() && (now === before || clock.monotonic() >= deadline)) break;
    // Somebody outside prints without end, faster than it is taken.
    if (now > enough && clock.monotonic() >= deadline) break;
    before = now;
    await clock.sleep(QUIET);
    // However late that was: what is there by now is read before it is judged.
    await nextTurn();
  }
  for (const pipe of pipes) pipe.destroy();
}

/** Resolves when all that could be read at the call has been: the first of two turns may have been past that already. */
async function nextTurn(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
}

/** A child's pipes are sockets, which count. */
function bytesRead(pipe: Readable): number {
  return 'bytesRead' in pipe ? Number(pipe.bytesRead) : 0;
}
