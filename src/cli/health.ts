import type { Health, HealthNote } from '../core/health.ts';
import { openHealth } from '../store/health.ts';
import type { Io } from './io.ts';

/** The health of this home, as sessions use it: nothing that is wrong with its file stops a run, and each is said once. */
export interface KnownHealth {
  readonly read: () => Promise<readonly Health[]>;
  readonly note: (note: HealthNote) => Promise<void>;
}

export function healthOf({ stateHome, clock, terminal }: Io): KnownHealth {
  const said = new Set<string>();
  const report = ({ message }: { readonly message: string }): void => {
    if (said.has(message)) return;
    said.add(message);
    terminal.err(`secondwind: ${message}\n`);
  };
  const store = openHealth({ home: stateHome, clock, report });
  return {
    read: () => store.read(),
    note: async (note) => {
      const noted = await store.note(note);
      if (!noted.ok) report(noted.error);
    },
  };
}
