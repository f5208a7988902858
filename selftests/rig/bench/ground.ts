import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Program } from './timing.ts';

/** Where the bench works: folders of its own, and how much of it is wanted. */
export interface Ground {
  readonly folder: string;
  /** The project, built. */
  readonly root: string;
  /** The process that is measured from within: `actor.ts`, bundled. */
  readonly actor: string;
  /** Fewer rounds and less to read. */
  readonly quick: boolean;
  /** So many rounds, or a third of them. */
  readonly rounds: (wanted: number) => number;
  close(): void;
}

export function openGround(root: string, actor: string, quick: boolean): Ground {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'secondwind-bench-'));
  return {
    ...{ folder, root, actor, quick },
    rounds: (wanted) => (quick ? Math.ceil(wanted / 3) : wanted),
    close() {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A user's machine: a home, a project, and a PATH with Node and the CLIs that it is given. */
export interface Place {
  readonly home: string;
  readonly stateHome: string;
  readonly project: string;
  readonly bin: string;
  /** Puts a shell script on the PATH. */
  fake(name: string, script: string): void;
  /** The built product with these arguments. */
  product(...args: readonly string[]): Program;
  /** A program of the PATH, or by its path. */
  program(file: string, ...args: readonly string[]): Program;
}

export function placeOn(ground: Ground, name: string): Place {
  const folder = join(ground.folder, name);
  const [home, project, bin] = [join(folder, 'home'), join(folder, 'project'), join(folder, 'bin')];
  const stateHome = join(home, '.secondwind');
  for (const path of [home, project, bin]) mkdirSync(path, { recursive: true });
  mkdirSync(stateHome, { mode: 0o700 });
  symlinkSync(process.execPath, join(bin, 'node'));
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, SECONDWIND_HOME: stateHome, TZ: 'UTC' };
  const program = (file: string, ...args: readonly string[]): Program => ({ file, args, cwd: project, env });
  return {
    ...{ home, stateHome, project, bin, program },
    fake(cli, script) {
      writeFileSync(join(bin, cli), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, cli), 0o755);
    },
    product: (...args) => program(process.execPath, join(ground.root, 'bin/secondwind.js'), ...args),
  };
}

/** A Claude Code that does what it is asked at once. */
export const INSTANT = `echo '{"type":"system","subtype":"init","session_id":"5a1de5a1-0000-4000-8000-000000000000","model":"claude"}'
echo '{"type":"assistant","message":{"content":[{"type":"text","text":"Done."}]}}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done."}'`;
