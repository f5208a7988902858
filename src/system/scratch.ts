import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A private folder that is gone afterwards, whatever `use` does. */
export async function inScratchFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a shell script that may be run. */
export function writeScratchProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
}

/** Writes a file that nobody else reads or writes. */
export function writeScratchFile(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}
