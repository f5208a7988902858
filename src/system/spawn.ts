import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { openOwnPipe } from './own-pipe.ts';
import type { Pipe } from './pipe.ts';
import { pipeOf } from './pipe.ts';
import { isErrno, isSystemError } from './system-error.ts';

export interface SpawnCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The child's whole environment; `program` is looked for on its `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to its stdin; without it stdin is closed from the start. */
  readonly stdin: string | undefined;
  /** Stdin stays open after that, until the child ends. */
  readonly keepsStdin?: true;
}

/** The child could not be started: `code` is the system's own (`ENOENT`, `EACCES`, `ENOEXEC`, `E2BIG`). */
export interface StartFailure {
  readonly code: string;
  readonly message: string;
  /** The folder to work in is no folder (any more), which the system words as if the program were not there. */
  readonly lacksFolder?: true;
}

export interface Spawned {
  readonly pid: number;
  readonly process: ChildProcess;
  readonly stdout: Pipe;
  readonly stderr: Pipe;
}

/**
 * Starts a program as the leader of a process group of its own, with both its channels as pipes. Node's own `spawn` and
 * not a library over it: detached, streamed and ended by its group as our children are, nothing is left for one to do, and
 * loading execa took a fifth of a short run.
 */
export async function spawnLeader(command: SpawnCommand): Promise<Result<Spawned, StartFailure>> {
  const { program, args, cwd, env } = command;
  const own = await openOwnPipe();
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      ...{ cwd, env, detached: true },
      stdio: [
        command.stdin === undefined && command.keepsStdin === undefined ? 'ignore' : 'pipe',
        own?.theirs ?? 'pipe',
        'pipe',
      ],
    });
  } catch (error) {
    own?.pipe.destroy();
    // Some refusals are thrown (E2BIG, ENOTDIR; Node's own of a NUL character), others are an event (ENOENT, EACCES, EAGAIN).
    if (isSystemError(error) || isErrno(error, 'ERR_INVALID_ARG_VALUE')) return err(failure(error, cwd));
    throw error;
  } finally {
    own?.theirs.destroy();
  }
  const { pid } = child;
  if (pid === undefined) {
    own?.pipe.destroy();
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve));
    return err(failure(error, cwd));
  }
  tell(child.stdin, command);
  const stdout = own?.pipe ?? pipeOf(asked(child.stdout));
  return ok({ pid, process: child, stdout, stderr: pipeOf(asked(child.stderr)) });
}

/** A pipe that Node was asked for, as it always gives one. */
function asked(stream: Readable | null): Readable {
  if (stream === null) throw new Error('expected Node to have made the pipe that it was asked for');
  return stream;
}

function failure({ code = 'unknown', message }: NodeJS.ErrnoException, cwd: string): StartFailure {
  return { code, message, ...(isNoFolder(cwd) ? { lacksFolder: true } : {}) };
}

function isNoFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** One that has gone before it was told all is known by its exit. */
function tell(stdin: Writable | null, { stdin: text = '', keepsStdin }: SpawnCommand): void {
  stdin?.on('error', (error) => {
    if (!isErrno(error, 'EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED')) throw error;
  });
  if (keepsStdin === true) stdin?.write(text);
  else stdin?.end(text);
}
