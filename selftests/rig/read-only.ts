import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/**
 * Makes a folder read-only until the test has finished. Permissions do not bind root, who mounts it read-only over
 * itself; a container's root who may not mount gives the folder away and becomes nobody.
 */
export function makeReadOnly(folder: string): void {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o500);
    onTestFinished(() => {
      chmodSync(folder, 0o700);
    });
  } else if (mount('--bind', folder, folder)) {
    mount('-o', 'remount,bind,ro', folder);
    onTestFinished(() => {
      execFileSync('umount', [folder]);
    });
  } else {
    chmodSync(folder, 0o555);
    process.seteuid?.(65_534);
    onTestFinished(() => {
      process.seteuid?.(0);
    });
  }
}

function mount(...args: readonly string[]): boolean {
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'status' in error) return false;
    throw error;
  }
}
