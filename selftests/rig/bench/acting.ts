import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Said } from './actor.ts';
import type { Ground } from './ground.ts';

const run = promisify(execFile);

/** A fresh process that reads what `script` prints: as an empty loop, or as an attempt of `adapter` does. */
export async function act(
  ground: Ground,
  how: 'empty' | 'ours',
  { adapter, script }: { readonly adapter: string; readonly script: string },
): Promise<Said> {
  const env = { PATH: '/usr/bin:/bin', TZ: 'UTC' };
  const { stdout } = await run(process.execPath, [ground.actor, how, adapter, script], {
    env,
    cwd: ground.folder,
  });
  return JSON.parse(stdout) as Said;
}

/** An executable shell script. */
export function scriptOn(ground: Ground, name: string, text: string): string {
  const path = join(ground.folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}
