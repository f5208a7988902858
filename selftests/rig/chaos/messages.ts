import type { SaveStep } from '../../../src/system/save-step.ts';

/** What a chaos child is told to do. */
export type Order =
  | { readonly type: 'write'; readonly home: string; readonly prefix: string; readonly acks: string }
  | { readonly type: 'read'; readonly home: string }
  | {
      readonly type: 'contend';
      readonly file: string;
      readonly round: number;
      readonly at: number;
      readonly hold: number;
      readonly waitAtMost: number;
    }
  | {
      readonly type: 'record';
      readonly home: string;
      readonly seat: string;
      readonly waitAtMost: number;
      readonly step?: SaveStep;
      readonly signal: 'SIGSTOP' | 'SIGKILL';
    }
  | { readonly type: 'append'; readonly home: string; readonly who: string; readonly lines: number }
  | { readonly type: 'hold'; readonly file: string }
  | {
      readonly type: 'count';
      readonly how: 'store' | 'bare' | 'durable';
      readonly home: string;
      readonly at: number;
      readonly length: number;
    };

/** What it says. Instants are nanoseconds of the machine's monotonic clock, which all processes share. */
export type Report =
  | { readonly type: 'problem'; readonly message: string }
  | { readonly type: 'committed' }
  | { readonly type: 'read'; readonly reads: number; readonly torn: boolean }
  | {
      readonly type: 'contended';
      readonly round: number;
      readonly began: number;
      readonly entered: number;
      readonly left: number;
      readonly problem: string | undefined;
    }
  | {
      readonly type: 'recorded';
      readonly seat: string;
      readonly problem: string | undefined;
      readonly entered: number;
      readonly left: number;
    }
  | { readonly type: 'holding' }
  | { readonly type: 'counted'; readonly writes: number };
