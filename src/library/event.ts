import type { Event } from '../core/event.ts';
import type { SessionId } from '../core/ids.ts';
import type { EpochMs } from '../core/time.ts';

/** An event as it is told: of which session, and when. */
export type ToldEvent = Event & { readonly at: EpochMs; readonly session: SessionId };
