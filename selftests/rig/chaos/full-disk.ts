import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { seatId } from '../../../src/core/ids.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import type { OpenForWriting } from '../../../src/system/atomic-write.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aCooldown } from '../a-cooldown.ts';
import type { Outcome, Stage } from './stage.ts';
import { roomFor } from './stage.ts';

const KIB = 1024;
const ROOM = 96 * KIB;

/** 150 KiB are to be saved where 96 KiB fit: on a small disk where we may mount one, and through a shim that acts like one. */
export async function fullDisk(stage: Stage): Promise<Outcome> {
  const breaches: string[] = [];
  const figures: Record<string, string> = {};
  for (const [name, openForWriting] of Object.entries(SHIMS)) {
    const home = join(roomFor(stage, `disk-${name}`), 'home');
    figures[name] = await fill(home, openForWriting, (breach) => breaches.push(`${name}: ${breach}`));
  }
  const disk = roomFor(stage, 'disk');
  if (!mount(disk)) return { figures: { ...figures, tmpfs: 'not mounted (needs root)' }, breaches };
  try {
    figures['tmpfs'] = await fill(join(disk, 'home'), undefined, (breach) =>
      breaches.push(`tmpfs: ${breach}`),
    );
  } finally {
    execFileSync('umount', [disk]);
  }
  return { figures, breaches };
}

async function fill(
  home: string,
  openForWriting: OpenForWriting | undefined,
  breach: (what: string) => void,
): Promise<string> {
  const base = {
    home,
    clock: systemClock,
    report: ({ message }: { message: string }) => {
      breach(message);
    },
  };
  await openCooldowns(base).record(aCooldown());
  const before = readFileSync(join(home, 'cooldowns.json'), 'utf8');
  const store = openCooldowns({
    ...base,
    ...(openForWriting === undefined ? {} : { disk: { openForWriting } }),
  });
  const target = { type: 'seat', seat: seatId('big') } as const;
  const recorded = await store.record(aCooldown({ target, evidence: 'x'.repeat(150 * KIB) }));
  if (recorded.ok) breach('it says that more was saved than fits');
  else if (!recorded.error.message.includes('the disk is full')) breach(recorded.error.message);
  if (readFileSync(join(home, 'cooldowns.json'), 'utf8') !== before) breach('the old state was touched');
  const left = readdirSync(home).filter((name) => name !== 'cooldowns.json');
  if (left.length > 0) breach(`left behind ${left.join(', ')}`);
  const small = await openCooldowns(base).record(aCooldown({ kind: 'auth-failure' }));
  if (!small.ok) breach(`what fits was refused: ${small.error.message}`);
  return recorded.ok ? 'saved?' : 'refused';
}

/** Disks that take what fits and then refuse, or then silently take nothing, or pretend to have taken all. */
const SHIMS: Readonly<Record<string, OpenForWriting>> = {
  'short writes, then ENOSPC': shim((left) => {
    if (left === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
    return Math.min(left, 4 * KIB);
  }),
  'short writes, then nothing': shim((left) => Math.min(left, 4 * KIB)),
  'claims to have written all': shim((left) => left, true),
};

function shim(take: (left: number) => number, claimsAll = false): OpenForWriting {
  return async (path) => {
    const file = await open(path, 'wx');
    let left = ROOM;
    return {
      chmod: (mode) => file.chmod(mode),
      stat: () => file.stat(),
      sync: () => file.sync(),
      close: () => file.close(),
      async write(bytes, offset) {
        const length = Math.min(take(left), bytes.length - offset);
        const { bytesWritten } = await file.write(bytes, offset, length);
        left -= bytesWritten;
        return { bytesWritten: claimsAll ? bytes.length - offset : bytesWritten };
      },
    };
  };
}

function mount(folder: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(ROOM)}`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return true;
  } catch (error) {
    // A container's root may not mount.
    if (error instanceof Error && 'status' in error) return false;
    throw error;
  }
}
