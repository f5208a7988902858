import type { CooldownStore } from '../store/cooldowns.ts';
import { openCooldowns } from '../store/cooldowns.ts';
import type { Io } from './io.ts';

/** The cooldowns of this home; what is wrong with their file is said once, on stderr. */
export function cooldownsOf({ stateHome, clock, terminal }: Io): CooldownStore {
  const report = ({ message }: { readonly message: string }): void => {
    terminal.err(`secondwind: ${message}\n`);
  };
  return openCooldowns({ home: stateHome, clock, report });
}
