import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Line } from '../../src/core/line.ts';
import type { Child } from '../../src/system/child.ts';
import { childStarter } from '../../src/system/child.ts';
import { systemClock } from '../../src/system/clock.ts';
import { killAll, processesWith } from './live-processes.ts';
import { tempFolder } from './temp-folder.ts';

/** An executable of `fixtures/children/`. */
export function childFixture(name: string): string {
  return join(import.meta.dirname, '../../fixtures/children', name);
}

/** Resolves when `condition` holds; rejects, saying for what it waited, when that takes longer than `within` ms. */
export async function eventually(what: string, condition: () => boolean, within = 20_000): Promise<void> {
  const deadline = performance.now() + within;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited ${String(within)} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export interface StartedChild extends Child {
  /** In the environment of everybody that the child starts: how they are found again. */
  readonly mark: string;
}

/** Starts a shell script as the supervisor starts a CLI. Whoever it leaves behind is gone after the test. */
export async function startShell(script: string, stdin?: string): Promise<StartedChild> {
  return startProgram('/bin/sh', ['-c', script], stdin);
}

export async function startProgram(
  program: string,
  args: readonly string[],
  stdin?: string,
): Promise<StartedChild> {
  const mark = tempFolder();
  onTestFinished(() => {
    killAll(processesWith(mark));
  });
  const env = { PATH: '/usr/bin:/bin', HOME: mark };
  const started = await childStarter(systemClock)({ program, args, cwd: mark, env, stdin });
  if (!started.ok) throw new Error(`could not start ${program}: ${started.error.code}`);
  return { ...started.value, mark };
}

/** All lines of a child, to the end of its pipes. `onLine` sees each as it comes. */
export async function linesOf(
  child: Child,
  onLine: (line: Line) => void | Promise<void> = () => undefined,
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for await (const line of child.lines) {
    lines.push(line);
    await onLine(line);
  }
  return lines;
}

/** Writes an executable shell script. */
export function writeScript(path: string, body: string): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}
