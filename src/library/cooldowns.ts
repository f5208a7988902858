import type { CooldownStore } from '../store/cooldowns.ts';
import { openCooldowns } from '../store/cooldowns.ts';
import type { Host } from './host.ts';
import { stateTeller } from './host.ts';

/** The cooldowns of this home; what is wrong with their file is said once, on stderr. */
export function cooldownsOf(host: Host): CooldownStore {
  return openCooldowns({ home: host.stateHome, clock: host.clock, report: stateTeller(host) });
}
