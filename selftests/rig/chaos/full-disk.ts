import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { seatId } from '../../../src/core/ids.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import type { WriteSome } from '../../../src/system/atomic-write.ts';
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
  for (const [name, writeSome] of Object.entries(SHIMS)) {
    const home = join(roomFor(stage, `disk-${name}`), 'home');
    figures[name] = await fill(home, writeSome, (breach) => breaches.push(`${name}: ${breach}`));
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
  writeSome: WriteSome | undefined,
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
    ...(writeSome === undefined ? {} : { disk: { writeSome } }),
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
const SHIMS: Readonly<Record<string, WriteSome>> = {
  'short writes, then ENOSPC': shim((left) => {
    if (left === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
    return Math.min(left, 4 * KIB);
  }),
  'short writes, then nothing': shim((left) => Math.min(left, 4 * KIB)),
  'claims to have written all': shim((left) => left, true),
};

function shim(take: (left: number) => number, claimsAll = false): WriteSome {
  let left = ROOM;
  return (descriptor, bytes, offset) => {
    const count = writeSync(descriptor, bytes, offset, Math.min(take(left), bytes.length - offset));
    left -= count;
    return claimsAll ? bytes.length - offset : count;
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
