import { durationMs, SECOND } from '../core/time.ts';
import type { SeatId } from '../core/ids.ts';
import { seatId } from '../core/ids.ts';
import type { DispatchEffects } from '../fleet/dispatch.ts';
import type { Loads, SeatLoad } from '../fleet/load.ts';
import { whileAlone } from '../store/alone.ts';
import type { Lease } from '../system/lease-folder.ts';
import { runningAttempts, takeLease, unrecordedLease } from '../system/lease-folder.ts';
import type { Host } from './host.ts';

export function leasesIn(stateHome: string): string {
  return `${stateHome}/leases`;
}

/** What runs on each seat now, of all secondwinds of this home. */
export function seatLoads(stateHome: string): Loads {
  const loads = new Map<SeatId, SeatLoad>();
  for (const { seat, isProven } of runningAttempts(leasesIn(stateHome))) {
    const { running, proven } = loads.get(seatId(seat)) ?? { running: 0, proven: 0 };
    loads.set(seatId(seat), { running: running + 1, proven: proven + (isProven ? 1 : 0) });
  }
  return loads;
}

/** The places that one session takes on seats, one after the other. */
export interface Places extends Pick<DispatchEffects, 'loads' | 'reserve' | 'giveBack'> {
  /** The place that was taken last, for the attempt that is about to start. */
  readonly lease: () => Lease;
}

/** How long a place may take to be asked for: others hold the lock for milliseconds. */
const ASK_FOR = durationMs(5 * SECOND);

export function placesOf({ stateHome, clock }: Pick<Host, 'stateHome' | 'clock'>): Places {
  let lease: Lease | undefined;
  const loads = (): Loads => seatLoads(stateHome);
  return {
    loads,
    async reserve({ seat }, isFree) {
      const take = (): boolean => {
        if (isFree?.() === false) return false;
        // A session is at one place at a time.
        lease?.release();
        lease = takeLease(leasesIn(stateHome), seat);
        return true;
      };
      if (isFree === undefined) return take();
      const asked = await whileAlone(`${stateHome}/places`, { clock, waitAtMost: ASK_FOR }, () =>
        Promise.resolve(take()),
      );
      // Where there can be no lock there are no leases to count either.
      return asked.ok ? asked.value : take();
    },
    giveBack: () => lease?.release(),
    lease: () => lease ?? unrecordedLease(),
  };
}
