import type { Health, HealthNote } from '../core/health.ts';
import { openHealth } from '../store/health.ts';
import { onceEach } from '../store/problem.ts';
import type { Io } from './io.ts';
import { problemTeller } from './io.ts';

/** The health of this home, as sessions use it: nothing that is wrong with its file stops a run, and each is said once. */
export interface KnownHealth {
  readonly read: () => Promise<readonly Health[]>;
  readonly note: (note: HealthNote) => Promise<void>;
}

export function healthOf(io: Io): KnownHealth {
  const report = onceEach(problemTeller(io));
  const store = openHealth({ home: io.stateHome, clock: io.clock, report });
  return {
    read: () => store.read(),
    note: async (note) => {
      const noted = await store.note(note);
      if (!noted.ok) report(noted.error);
    },
  };
}
