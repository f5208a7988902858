import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { ProvidedContext } from 'vitest';

/** Finds or installs the real CLIs before the first test, and tells the tests where they are. */
export function setup(project: TestProject): void {
  const installer = join(import.meta.dirname, '..', '..', 'scripts', 'install-clis.mjs');
  const printed = execFileSync(process.execPath, [installer, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  project.provide('clis', JSON.parse(printed) as ProvidedContext['clis']);
}
