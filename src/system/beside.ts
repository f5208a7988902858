import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { identityText, liveness, ownIdentity, parseIdentity } from './process-identity.ts';
import { isSystemError } from './system-error.ts';

/** What a process makes beside a file and takes away again: its claim to the lock, the next content. */
type Purpose = 'claim' | 'next';

/** Random for each process and each of its threads, which share its identity. */
const SALT = randomBytes(4).toString('hex');
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
  for (const purpose of ['claim', 'next'] as const) {
    for (const { path, unique } of listBeside(file, purpose)) {
      const maker = makerOf(unique);
      if (maker !== undefined && liveness(maker).type === 'dead') remove(path);
    }
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
