import type { SignalKind } from '../core/signal.ts';
import type { Verdict } from './adapter.ts';

/** How an attempt ended: judged by what it printed, or stopped by us for a reason of our own. */
export type Ending =
  | Verdict
  | {
      readonly type: 'stopped';
      readonly because: 'idle' | 'aborted';
      /** What its CLI was retrying over when it fell silent: a wait for quota is no stall of the machinery. */
      readonly trouble?: SignalKind | undefined;
    };
