import type { Health, HealthNote } from '../core/health.ts';
import { openHealth } from '../store/health.ts';
import { onceEach } from '../store/problem.ts';
import type { Host } from './host.ts';
import { stateTeller } from './host.ts';

/** The health of this home, as sessions use it: nothing that is wrong with its file stops a run, and each is said once. */
export interface KnownHealth {
  readonly read: () => Promise<readonly Health[]>;
  readonly note: (note: HealthNote) => Promise<void>;
}

export function healthOf(host: Host): KnownHealth {
  const report = onceEach(stateTeller(host));
  const store = openHealth({ home: host.stateHome, clock: host.clock, report });
  return {
    read: () => store.read(),
    note: async (note) => {
      const noted = await store.note(note);
      if (!noted.ok) report(noted.error);
    },
  };
}
