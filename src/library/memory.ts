import type { Cooldown } from '../core/cooldown.ts';
import type { SessionId } from '../core/ids.ts';
import { sessionId } from '../core/ids.ts';
import type { SessionRequest } from '../core/session.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { epochMs, toIso } from '../core/time.ts';
import type { Ledger } from '../store/ledger.ts';
import type { SessionStore } from '../store/sessions.ts';
import { openSessions } from '../store/sessions.ts';
import type { Host } from './host.ts';
import { stateTeller } from './host.ts';
import { ledgerOf } from './ledger.ts';
import type { Plan } from './plan.ts';

export function sessionsOf(host: Host): SessionStore {
  return openSessions({
    ...{ home: host.stateHome, clock: host.clock },
    report: stateTeller(host),
  });
}

/** What is remembered of a run besides cooldowns: its session, and its events. */
export interface Memory {
  readonly store: SessionStore;
  readonly ledger: Ledger;
  /** Rests that could not be written: at least this process goes by them, in all of its sessions. */
  readonly unrecorded: Cooldown[];
}

export function memoryOf(host: Host): Memory {
  return { store: sessionsOf(host), ledger: ledgerOf(host), unrecorded: [] };
}

/** Forgets what is older than `keepMs`. */
export async function prune({ store, ledger }: Memory, now: EpochMs, keepMs: DurationMs): Promise<void> {
  ledger.prune(now, keepMs);
  await store.prune(epochMs(now - keepMs));
}

/** Sorts by time, and is a name for files and branches. */
export function newSessionId(now: EpochMs): SessionId {
  const [day = '', time = ''] = toIso(now).replace(/[-:]/g, '').split('T');
  const nonce = Math.floor(Math.random() * 36 ** 6).toString(36);
  return sessionId(`${day}-${time.slice(0, 6)}-${nonce.padStart(6, '0')}`);
}

export function requestOf(task: string, plan: Plan): SessionRequest {
  const { directory, permissions, model, named, extraArgs } = plan;
  return { task, directory, permissions, model, workers: named, extraArgs };
}
