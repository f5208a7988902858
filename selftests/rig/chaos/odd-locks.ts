import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { durationMs } from '../../../src/core/time.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { withLock } from '../../../src/system/lock.ts';
import { identityOf, identityText, ownIdentity } from '../../../src/system/process-identity.ts';
import type { ProcessIdentity } from '../../../src/system/process-identity.ts';
import type { Actor, Outcome, Stage } from './stage.ts';
import { roomFor, stateOf, until } from './stage.ts';

const NONCE = '0123456789abcdef';
const FUTURE = new Date(Date.now() + 365 * 86_400_000);
const PAST = new Date(0);

type MaybeHolder = Pick<Actor, 'kill'> | undefined;

interface Case {
  readonly name: string;
  readonly replaced: boolean;
  /** What the refusal must say. */
  readonly says?: string;
  /** Puts the lock there; what it gives back is to be ended afterwards. */
  readonly prepare: (file: string, stage: Stage) => MaybeHolder | Promise<MaybeHolder>;
}

const CASES: readonly Case[] = [
  {
    name: 'dead, dated in the future',
    replaced: true,
    prepare: async (file, stage) => {
      await killedHolder(file, stage);
      utimesSync(`${file}.lock`, FUTURE, FUTURE);
      return undefined;
    },
  },
  {
    name: 'alive, dated in 1970',
    replaced: false,
    says: 'has held it since',
    prepare: async (file, stage) => {
      const holder = await liveHolder(file, stage);
      utimesSync(`${file}.lock`, PAST, PAST);
      return holder;
    },
  },
  {
    name: 'pid reused by a process that lives',
    replaced: true,
    prepare: (file) => plant(file, { start: '1' }),
  },
  { name: 'pid of nobody', replaced: true, prepare: (file) => plant(file, { pid: 4_194_305 }) },
  {
    name: 'left by a boot before this one',
    replaced: true,
    prepare: (file) => plant(file, { boot: 'an-earlier-boot' }),
  },
  {
    name: 'killed, and nobody has asked for its end (a zombie)',
    replaced: true,
    prepare: (file) => zombieHolder(file),
  },
  {
    name: 'empty',
    replaced: true,
    prepare: (file) => {
      mkdirSync(`${file}.lock`);
      return undefined;
    },
  },
  {
    name: 'of another host',
    replaced: false,
    says: 'on host elsewhere',
    prepare: (file) => plant(file, { host: 'ffffffffffff', boot: 'their-boot', pid: 4_194_305 }),
  },
  {
    name: 'of another pid namespace',
    replaced: false,
    says: 'rm -r',
    prepare: (file) => plant(file, { space: '1-1', pid: 4_194_305 }),
  },
  {
    name: 'with an entry that is not ours',
    replaced: false,
    says: 'README',
    prepare: (file) => {
      mkdirSync(`${file}.lock`);
      writeFileSync(join(`${file}.lock`, 'README'), '');
      return undefined;
    },
  },
  {
    name: 'a file in its place',
    replaced: false,
    says: 'is a file, not a folder',
    prepare: (file) => {
      writeFileSync(`${file}.lock`, '');
      return undefined;
    },
  },
];

/** Locks as they can be found: each is replaced within a second, or waited for and named. */
export async function oddLocks(stage: Stage, scale: { patience: number }): Promise<Outcome> {
  const room = roomFor(stage, 'odd-locks');
  const breaches: string[] = [];
  let replaced = 0;
  for (const { name, says, prepare, ...expected } of CASES) {
    const file = join(room, name.replaceAll(/\W+/g, '-'));
    const holder = await prepare(file, stage);
    const before = existsSync(`${file}.lock`) ? list(`${file}.lock`) : '';
    const waitAtMost = durationMs(expected.replaced ? 1_000 : scale.patience);
    const taken = await withLock(file, { clock: systemClock, waitAtMost }, () => Promise.resolve());
    if (taken.ok) replaced += 1;
    if (taken.ok !== expected.replaced) {
      breaches.push(`${name}: ${taken.ok ? 'was robbed' : taken.error.message}`);
    } else if (!taken.ok && !taken.error.message.includes(says ?? '')) {
      breaches.push(`${name}: does not say '${says ?? ''}' but: ${taken.error.message}`);
    }
    if (!taken.ok && list(`${file}.lock`) !== before) breaches.push(`${name}: was changed`);
    await holder?.kill();
  }
  return { figures: { cases: CASES.length, replaced, respected: CASES.length - replaced }, breaches };
}

function list(lock: string): string {
  try {
    return readdirSync(lock).join();
  } catch {
    return 'a file';
  }
}

async function liveHolder(file: string, stage: Stage): Promise<Actor> {
  const holder = stage.start({ type: 'hold', file });
  await holder.hears('holding');
  return holder;
}

async function killedHolder(file: string, stage: Stage): Promise<void> {
  await (await liveHolder(file, stage)).kill();
}

/** This process's own identity but for what the case changes, as the owner of a lock. */
function plant(file: string, change: Partial<ProcessIdentity>): MaybeHolder {
  mkdirSync(`${file}.planted`);
  const entry = `${identityText({ ...ownIdentity(), ...change })}.${NONCE}`;
  writeFileSync(
    join(`${file}.planted`, entry),
    JSON.stringify({ host: 'elsewhere', command: 'secondwind run' }),
  );
  renameSync(`${file}.planted`, `${file}.lock`);
  return undefined;
}

/** A shell starts a process and then becomes one that never asks for its children. */
async function zombieHolder(file: string): Promise<MaybeHolder> {
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: [...stdio] });
  const printed = await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve));
  const pid = Number(printed.toString());
  plant(file, identityOf(pid) ?? {});
  // Killed before that, it would still be asked for by the shell, and leave no zombie.
  const comm = `/proc/${String(parent.pid)}/comm`;
  await until(() => readFileSync(comm, 'latin1').trim() === 'sleep', 5_000, 'the shell to become a sleep');
  process.kill(pid, 'SIGKILL');
  await until(() => stateOf(pid) === 'Z', 5_000, 'a zombie');
  return {
    kill: () => {
      parent.kill('SIGKILL');
      return Promise.resolve();
    },
  };
}
