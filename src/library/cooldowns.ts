import type { CooldownStore } from '../store/cooldowns.ts';
import { openCooldowns } from '../store/cooldowns.ts';
import type { Io } from './io.ts';
import { problemTeller } from './io.ts';

/** The cooldowns of this home; what is wrong with their file is said once, on stderr. */
export function cooldownsOf(io: Io): CooldownStore {
  return openCooldowns({ home: io.stateHome, clock: io.clock, report: problemTeller(io) });
}
