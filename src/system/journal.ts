import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { ensureFolder } from './state-folder.ts';
import { readLines } from './lines.ts';
import { isErrno } from './system-error.ts';

// Files of one record a line that only grow. No fsync: they explain what was done, and nothing is decided by them.

/** Appends lines to one file, whose folder is made when it is first written. */
export interface Journal {
  /** Throws the system's error. `line` holds no line break. */
  append(line: string): void;
  close(): void;
}

/** Opens a file for appending: each line is one write, so lines of several processes never mix. */
export function openJournal(folder: string, name: string): Journal {
  ensureFolder(folder);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;
  const descriptor = openSync(`${folder}/${name}`, flags, 0o600);
  let isTorn = endsInTheMiddle(descriptor);
  return {
    append(line) {
      const bytes = new TextEncoder().encode(`${isTorn ? '\n' : ''}${line}\n`);
      isTorn = writeSync(descriptor, bytes) < bytes.length;
    },
    close: () => {
      closeSync(descriptor);
    },
  };
}

/** Whether a full disk or a power failure left a last line without its end. */
function endsInTheMiddle(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = new Uint8Array(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}

/** The lines of a file as they are now, in bounded memory; of one that is not there, or not ours to read, none. */
export async function* readJournal(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 });
  try {
    for await (const { text, cut } of readLines(stream)) if (!cut) yield text;
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'EISDIR', 'EACCES', 'EPERM')) throw error;
  } finally {
    stream.destroy();
  }
}

/** Removes a file, which somebody else may have removed already. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'EACCES', 'EPERM', 'EROFS')) throw error;
  }
}
