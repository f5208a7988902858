import { endAbandoned } from './effects.ts';
import type { HookRoom } from './hooks.ts';
import { openHooks } from './hooks.ts';
import type { Host } from './host.ts';
import type { Memory } from './memory.ts';
import { memoryOf } from './memory.ts';

/** A home in which sessions run: what is remembered there, and what every run of this process shares. */
export interface Home {
  readonly host: Host;
  /** Opened when it is first asked for. */
  readonly memory: Memory;
  /** Where the hooks of its sessions run. */
  readonly hooks: HookRoom;
  /** Before anything starts: ends what an earlier secondwind that was killed has left running. */
  readonly ready: () => Promise<void>;
  /** After the last run: resolves when no hook is at work any more, and its files are closed. */
  readonly close: () => Promise<void>;
}

export function openHome(host: Host): Home {
  let memory: Memory | undefined;
  let isReady: Promise<void> | undefined;
  const hooks = openHooks();
  return {
    ...{ host, hooks },
    get memory() {
      return (memory ??= memoryOf(host));
    },
    ready: () => (isReady ??= makeReady(host)),
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
