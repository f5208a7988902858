import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of the test's own, by its real path, gone when the test has finished. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'secondwind-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
