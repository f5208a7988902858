import type { Exit, Line } from '../core/line.ts';
import type { Result } from '../core/result.ts';
import { ok } from '../core/result.ts';
import { durationMs } from '../core/time.ts';
import type { ChunkOfLines } from './channels.ts';
import { merge, oneByOne } from './channels.ts';
import type { Clock } from './clock.ts';
import { continueFamily, endFamily, killFamily, stopFamily } from './family.ts';
import type { Lease } from './lease-folder.ts';
import { unrecordedLease } from './lease-folder.ts';
import type { Pipe } from './pipe.ts';
import { beforeExit, whenHastened } from './process.ts';
import type { SpawnCommand, StartFailure } from './spawn.ts';
import { spawnLeader } from './spawn.ts';
import { stoppedWithUs } from './suspend.ts';

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

export type StartChild = (command: SpawnCommand) => Promise<Result<Child, StartFailure>>;

/** How long a pipe that somebody outside the group holds must be quiet to count as finished, and the longest we listen. */
const QUIET = durationMs(100);
const LISTEN = durationMs(1_000);
/**
 * More than a pipe and our own buffer hold together (Linux: 1 MiB at most, pipe(7)): what comes after so many bytes
 * was written when the group had gone.
 */
const IN_FLIGHT_BYTES = 2 * 1024 * 1024;

/** Starts children as leaders of groups of their own: whoever ends only the child leaves its own children with the pipes. */
export function childStarter(clock: Clock, takeLease: () => Lease = unrecordedLease): StartChild {
  return async (command) => {
    const lease = takeLease();
    const env = { ...command.env, [lease.mark.name]: lease.mark.value };
    const spawned = await spawnLeader({ ...command, env });
    if (!spawned.ok) {
      lease.release();
      return spawned;
    }
    const { pid, process: subprocess, stdout, stderr } = spawned.value;
    lease.startedAs(pid);
    const family = { leader: pid, mark: `${lease.mark.name}=${lease.mark.value}` };
    let ending: Promise<void> | undefined;
    // Once, as the pid is the system's to give away again when nobody of the family is left.
    const end = (): Promise<void> => (ending ??= endFamily(family, clock).then(lease.release));
    const exited = new Promise<Exit>((resolve) => {
      subprocess.once('exit', (code, signal) => {
        resolve({ code: code ?? undefined, signal: signal ?? undefined });
      });
    });
    const unmark = beforeExit(() => {
      killFamily(family);
      lease.release();
    });
    const unhaste = whenHastened(() => {
      killFamily(family);
    });
    const leaveAlone = stoppedWithUs({
      stop: () => {
        stopFamily(family);
      },
      goOn: () => {
        continueFamily(family);
      },
    });
    void exited.then(async () => {
      await end();
      leaveAlone();
      unmark();
      unhaste();
      await release([stdout, stderr], clock);
    });
    const chunks = merge(stdout, stderr, clock);
    return ok({
      pid,
      chunks,
      lines: oneByOne(chunks),
      exited,
      end,
    });
  };
}

/** Lets go of pipes which a process outside the group holds: once nothing more comes, or after a bounded time. */
async function release(pipes: readonly Pipe[], clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + LISTEN;
  const progress = (): number => pipes.reduce((sum, pipe) => sum + pipe.bytesRead, 0);
  const isTaken = (): boolean => pipes.every((pipe) => pipe.isIdle);
  const enough = progress() + IN_FLIGHT_BYTES;
  let before = -1;
  // What the group itself had written is in the pipes' buffers: a slow taker gets all of it, however long it takes.
  while (!pipes.every((pipe) => pipe.isClosed)) {
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
