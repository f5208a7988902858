// The processes of the chaos scenarios: real ones, with the real store, steered by messages.
import { appendFileSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { lock } from 'proper-lockfile';
import { seatId } from '../../../src/core/ids.ts';
import { durationMs, epochMs } from '../../../src/core/time.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { openLedger } from '../../../src/store/ledger.ts';
import { replaceFile, syncFolder } from '../../../src/system/atomic-write.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { withLock } from '../../../src/system/lock.ts';
import { isErrno } from '../../../src/system/system-error.ts';
import type { SaveStep } from '../../../src/system/save-step.ts';
import { aCooldown } from '../a-cooldown.ts';
import type { Order, Report } from './messages.ts';

const DAY = 86_400_000;

function open(home: string, waitAtMost: number, reached?: (step: SaveStep) => void) {
  return openCooldowns({
    home,
    clock: systemClock,
    waitAtMost: durationMs(waitAtMost),
    report: (problem) => {
      say({ type: 'problem', message: problem.message });
    },
    ...(reached === undefined ? {} : { disk: { reached } }),
  });
}

function unique(seat: string) {
  const since = Date.now();
  return aCooldown({
    target: { type: 'seat', seat: seatId(seat) },
    since: epochMs(since),
    until: epochMs(since + DAY),
    evidence: '',
  });
}

/** Records unique cooldowns for as long as it lives; each goes into `acks` once it is committed. */
async function write(order: Extract<Order, { type: 'write' }>): Promise<void> {
  const store = open(order.home, 30_000);
  for (let n = 0; ; n += 1) {
    const seat = `${order.prefix}-${String(n)}`;
    const recorded = await store.record(unique(seat));
    if (!recorded.ok) {
      say({ type: 'problem', message: recorded.error.message });
      continue;
    }
    appendFileSync(order.acks, `${seat}\n`);
    say({ type: 'committed' });
  }
}

/** Reads again and again: every text must be whole, and no record may be seen and then not be seen. */
async function read(order: Extract<Order, { type: 'read' }>): Promise<void> {
  const store = open(order.home, 30_000);
  let most = 0;
  const isTorn = (found: number): boolean => {
    const isLess = found < most;
    most = Math.max(most, found);
    return isLess;
  };
  for (let reads = 1; ; reads += 1) {
    // The store's own way of reading is the longer one, and the writers need the processor.
    let torn = reads % 4 === 0 && isTorn((await store.read()).length);
    // A torn state would be there for microseconds only: many looks in a row, so that one of them meets it.
    const enough = performance.now() + 3;
    do torn = isTorn(recordsIn(`${order.home}/cooldowns.json`)) || torn;
    while (performance.now() < enough);
    if (torn || reads % 20 === 0) say({ type: 'read', reads, torn });
    await systemClock.sleep(durationMs(12));
  }
}

/** -1: what is there is not whole. */
function recordsIn(file: string): number {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly cooldowns: readonly unknown[] }).cooldowns
      .length;
  } catch (error) {
    if (error instanceof SyntaxError) return -1;
    // Nothing is there yet before the first write.
    if (isErrno(error, 'ENOENT')) return 0;
    throw error;
  }
}

/** Takes the lock once at the given instant of the machine's monotonic clock, and says from when to when it held it. */
async function contend(order: Extract<Order, { type: 'contend' }>): Promise<void> {
  await systemClock.sleep(durationMs((order.at - Number(process.hrtime.bigint())) / 1e6));
  const began = Number(process.hrtime.bigint());
  let [entered, left] = [0, 0];
  const options = { clock: systemClock, waitAtMost: durationMs(order.waitAtMost) };
  const held = await withLock(order.file, options, async () => {
    entered = Number(process.hrtime.bigint());
    await systemClock.sleep(durationMs(order.hold));
    left = Number(process.hrtime.bigint());
  });
  say({
    type: 'contended',
    round: order.round,
    began,
    entered,
    left,
    problem: held.ok ? undefined : held.error.message,
  });
}

/** Records one cooldown, and at one step of it stops or ends itself. */
async function record(order: Extract<Order, { type: 'record' }>): Promise<void> {
  const times: Partial<Record<SaveStep, number>> = {};
  const store = open(order.home, order.waitAtMost, (step) => {
    if (step === order.step) process.kill(process.pid, order.signal);
    times[step] ??= Number(process.hrtime.bigint());
  });
  const recorded = await store.record(unique(order.seat));
  say({
    type: 'recorded',
    seat: order.seat,
    problem: recorded.ok ? undefined : recorded.error.message,
    entered: times.locked ?? 0,
    // The last touch of the state: when the entry is removed, another may already have entered.
    left: times.renamed ?? 0,
  });
}

/** Appends lines of many lengths to the ledger of today, as fast as it can. */
function append({ home, who, lines }: Extract<Order, { type: 'append' }>): void {
  const report = ({ message }: { readonly message: string }): void => {
    say({ type: 'problem', message });
  };
  const ledger = openLedger({ home, report });
  for (let n = 0; n < lines; n += 1) {
    const at = new Date().toISOString();
    const entry = { type: 'x', at, who, n, filler: 'x'.repeat((n * 97) % 20_000) };
    ledger.append(JSON.stringify(entry), epochMs(Date.now()));
  }
  say({ type: 'committed' });
}

/** Takes the lock and keeps it until somebody ends the process. */
async function hold(order: Extract<Order, { type: 'hold' }>): Promise<void> {
  await withLock(order.file, { clock: systemClock }, async () => {
    say({ type: 'holding' });
    await systemClock.sleep(durationMs(DAY));
  });
}

/**
 * Writes for a while, and says how often: through the store, as one would with nothing but the lock library, or so
 * but to the disk, which is what a write that survives a power failure costs whatever is written.
 */
async function count({ how, home, at, length }: Extract<Order, { type: 'count' }>): Promise<void> {
  const store = open(home, 60_000);
  const seat = `seat-${String(process.pid % 16)}`;
  const file = `${home}/bare.json`;
  const bytes = Buffer.alloc(4_096, 'x');
  const retries = { forever: true, minTimeout: 5, maxTimeout: 50, randomize: true };
  const write = {
    store: () => store.record(unique(seat)),
    bare: async () => {
      const unlock = await lock(file, { retries, realpath: false });
      await writeFile(file, bytes);
      await unlock();
    },
    durable: async () => {
      const unlock = await lock(file, { retries, realpath: false });
      await replaceFile(file, bytes);
      await unlock();
      await syncFolder(file);
    },
  }[how];
  await write();
  await systemClock.sleep(durationMs((at - Number(process.hrtime.bigint())) / 1e6));
  let writes = 0;
  for (const end = performance.now() + length; performance.now() < end; writes += 1) await write();
  say({ type: 'counted', writes });
}

function say(report: Report): void {
  process.send?.(report);
}

process.on('message', (order: Order) => {
  void obey(order);
});
const first = process.argv[2];
if (first !== undefined) void obey(JSON.parse(first) as Order);

async function obey(order: Order): Promise<void> {
  switch (order.type) {
    case 'write':
      return write(order);
    case 'read':
      return read(order);
    case 'contend':
      return contend(order);
    case 'record':
      return record(order);
    case 'append':
      append(order);
      return;
    case 'hold':
      return hold(order);
    case 'count':
      return count(order);
  }
}
