import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { seatId, workerId } from '../../../src/core/ids.ts';
import { durationMs } from '../../../src/core/time.ts';
import { after } from '../../../src/core/time.ts';
import { toSaved } from '../../../src/store/cooldown-json.ts';
import { render } from '../../../src/store/state-text.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aCooldown } from '../a-cooldown.ts';

/** Puts a state of so many resting seats in place; no record is like one of another `round`. */
export function saveRests(home: string, count: number, round = 0): void {
  const now = systemClock.now();
  const cooldowns = Array.from({ length: count }, (_, n) =>
    aCooldown({
      target: { type: 'seat', seat: seatId(`seat-${String(n)}`) },
      worker: workerId(`worker-${String(n)}`),
      since: now,
      until: after(now, durationMs(86_400_000 + n)),
      reason: `round ${String(round)}`,
    }),
  );
  const saved = toSaved({ cooldowns, clearances: [] }, { cooldowns: [], clearances: [] });
  writeFileSync(join(home, 'next'), render(saved, 1, undefined).bytes, { mode: 0o600 });
  renameSync(join(home, 'next'), join(home, 'cooldowns.json'));
}

/** Puts a ledger of so many lines in place: what sessions leave, of today. */
export function saveLedger(home: string, lines: number): void {
  mkdirSync(join(home, 'ledger'), { mode: 0o700 });
  const at = new Date(systemClock.now()).toISOString();
  const line = `${JSON.stringify({
    ...{ type: 'attempt.tool', at, session: '20260101-000000-aaaaaa', worker: 'claude', id: 'toolu_1' },
    ...{ name: 'Bash', detail: 'npm test', status: 'started' },
  })}\n`;
  const file = openSync(join(home, 'ledger', `${at.slice(0, 10)}.jsonl`), 'w', 0o600);
  const many = Buffer.from(line.repeat(1_000));
  for (let written = 0; written < lines; written += 1_000) writeSync(file, many);
  closeSync(file);
}
