import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { identityText, liveness, ownIdentity, parseIdentity } from './process-identity.ts';
import { isSystemError } from './system-error.ts';

/** What a process makes beside a file and takes away again: its claim to the lock, the next content. */
type Purpose = 'claim' | 'next';

/** Random for each process and each of its threads, which share its identity. */
const SALT = Math.floor(Math.random() * 2 ** 32)
  .toString(16)
  .padStart(8, '0');
let count = 0;

/** `host.boot.space.pid.start.nonce`: used once and by one process, so whoever removes it can hit nothing else. */
export function uniqueName(): string {
  count += 1;
  return `${identityText(ownIdentity())}.${SALT}${count.toString(16).padStart(8, '0')}`;
}

/** The identity inside a `uniqueName`. */
export function makerOf(name: string): ReturnType<typeof parseIdentity> {
  return /\.[0-9a-f]{16}$/.test(name) ? parseIdentity(name.slice(0, -17)) : undefined;
}

/** A path beside `file` that says what it is for and, by its `uniqueName`, who made it. */
export function besideName(file: string, purpose: Purpose, unique: string): string {
  return `${file}.${purpose}.${unique}`;
}

/** Those of one purpose that are there now, by full path, with the name that tells the maker. */
export function listBeside(
  file: string,
  purpose: Purpose,
): readonly { readonly path: string; readonly unique: string }[] {
  const prefix = `${basename(file)}.${purpose}.`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ path: join(dirname(file), name), unique: name.slice(prefix.length) }));
}

/** Removes what provably dead processes left beside `file`. */
export function sweepBeside(file: string): void {
  sweep(dirname(file), (name) => name === basename(file));
}

/** By folder: a process that saves a thousand sessions looks through theirs once, and remembers one name. */
const swept = new Set<string>();

/**
 * The same beside `file` and all others of its folder, once: leftovers come from processes that were killed, so once per
 * process keeps up with them.
 */
export function sweepFolderOnce(file: string): void {
  const folder = dirname(file);
  if (swept.has(folder)) return;
  swept.add(folder);
  sweep(folder, () => true);
}

/** What lies beside a file, as `besideName` has it: the file's name, and the `uniqueName`. */
const BESIDE = /^(.+)\.(?:claim|next)\.(.+)$/s;

function sweep(folder: string, isOf: (name: string) => boolean): void {
  for (const entry of readdirSync(folder)) {
    const [, name = '', unique = ''] = BESIDE.exec(entry) ?? [];
    if (!isOf(name)) continue;
    const maker = makerOf(unique);
    if (maker !== undefined && liveness(maker).type === 'dead') remove(join(folder, entry));
  }
}

/** Another sweeper may be at it too; what cannot be removed now stays for a later one. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
