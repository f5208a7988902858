import type { Verdict } from './adapter.ts';

/** How an attempt ended: judged by what it printed, or stopped by us for a reason of our own. */
export type Ending = Verdict | { readonly type: 'stopped'; readonly because: 'idle' | 'aborted' };
