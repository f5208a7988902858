import type { DurationMs } from '../core/time.ts';
import { endAbandoned } from './effects.ts';
import type { HookRoom } from './hooks.ts';
import { openHooks } from './hooks.ts';
import type { Host } from './host.ts';
import type { Memory } from './memory.ts';
import { memoryOf, prune } from './memory.ts';

/** A home in which sessions run: what is remembered there, and what every run of this process shares. */
export interface Home {
  readonly host: Host;
  /** Opened when it is first asked for. */
  readonly memory: Memory;
  /** Where the hooks of its sessions run. */
  readonly hooks: HookRoom;
  /** Before anything starts: ends what an earlier secondwind that was killed has left running. */
  readonly ready: () => Promise<void>;
  /** Once for all runs: forgets what is older. Nobody waits for it: what is old is old tomorrow too. */
  readonly tidy: (keepMs: DurationMs) => void;
  /** After the last run: resolves when no hook is at work any more, and its files are closed. */
  readonly close: () => Promise<void>;
}

export function openHome(host: Host): Home {
  let memory: Memory | undefined;
  let isReady: Promise<void> | undefined;
  const hooks = openHooks();
  let isTidy = false;
  const opened = (): Memory => (memory ??= memoryOf(host));
  return {
    ...{ host, hooks },
    get memory() {
      return opened();
    },
    ready: () => (isReady ??= makeReady(host)),
    tidy(keepMs) {
      if (!isTidy) void prune(opened(), host.clock.now(), keepMs);
      isTidy = true;
    },
    async close() {
      await hooks.over(host.clock);
      memory?.ledger.close();
    },
  };
}

async function makeReady(host: Host): Promise<void> {
  // A refusal in the small hours must find the code that records it, whatever was upgraded meanwhile.
  await Promise.all([
    import('../store/state-update.ts'),
    import('../store/cooldown-schema.ts'),
    import('../store/session-schema.ts'),
  ]);
  const left = await endAbandoned(host);
  if (left === 0) return;
  const message = `ended what ${String(left)} earlier attempt${left === 1 ? '' : 's'} had left running.`;
  host.report({ about: 'leftovers', message });
}
