import { endAbandoned } from './effects.ts';
import { hooksOver } from './hooks.ts';
import type { Host } from './host.ts';
import type { Memory } from './memory.ts';
import { memoryOf } from './memory.ts';

/** A home in which sessions run: what is remembered there, and what every run of this process shares. */
export interface Home {
  readonly host: Host;
  /** Opened when it is first asked for. */
  readonly memory: Memory;
  /** Before anything starts: ends what an earlier secondwind that was killed has left running. */
  readonly ready: () => Promise<void>;
  /** After the last run: resolves when no hook is at work any more. */
  readonly close: () => Promise<void>;
}

export function openHome(host: Host): Home {
  let memory: Memory | undefined;
  let isReady: Promise<void> | undefined;
  return {
    host,
    get memory() {
      return (memory ??= memoryOf(host));
    },
    ready: () => (isReady ??= makeReady(host)),
    close: () => hooksOver(host.clock),
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
