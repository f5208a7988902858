import type { CooldownKind, Scope } from '../../core/signal.ts';
import type { DurationMs } from '../../core/time.ts';
import { formatDuration } from '../../core/time.ts';
import { unreachable } from '../../core/unreachable.ts';
import type { Scenario } from '../../upstream/scenario.ts';
import type { Login } from './wiring.ts';

/** One refusal, or one trouble, or none: what a provider does, and what secondwind has to make of it. */
export interface LiveCase {
  /** For people, and a pattern to choose it by. */
  readonly name: string;
  readonly scenario: Scenario;
  readonly login?: Login;
  readonly model?: string;
  /** For the CLI alone. */
  readonly env?: Readonly<Record<string, string>>;
  /** For `secondwind run`. */
  readonly flags?: readonly string[];
  readonly expected: Expected;
}

export type Expected =
  /** Nothing is wrong: the worker does the task at the first try, whatever its agent says and its tools print. */
  | { readonly type: 'done'; readonly text?: string; readonly saw?: readonly string[] }
  /** It passes: the worker itself does the task, by its CLI's retries or held by us, and nobody rests. */
  | { readonly type: 'recovers' }
  /** Nobody's quota: the worker does the task if its CLI asks again, else the next one does. */
  | { readonly type: 'survives' }
  /** The worker is ended or gives up, its seat (or model) rests, and the next worker does the task. */
  | {
      readonly type: 'rests';
      readonly kind: CooldownKind;
      readonly scope: Scope;
      /** When the rest ends: so long after the refusal, as exactly as the vendor names it; `undefined`: nothing is named. */
      readonly reset: { readonly in: DurationMs; readonly within: DurationMs } | 'named' | undefined;
      /** The most model calls that it may take: a closed door is not to be hammered. */
      readonly calls: number;
    }
  /** The provider is too busy for as long as `--hold` allows: nobody rests, and the next worker does the task. */
  | { readonly type: 'passed-on' }
  /** Ended in the middle of its work, the worker goes on in its own conversation when its window opens. */
  | { readonly type: 'goes-on'; readonly remembers: string }
  /** The same after secondwind itself was killed: `secondwind resume`. */
  | { readonly type: 'resumes'; readonly remembers: string };

/** In a few words, for a column. */
export function expectedWords(expected: Expected): string {
  switch (expected.type) {
    case 'done':
      return expected.saw === undefined ? 'done' : 'done; none of it believed';
    case 'recovers':
      return 'overcome by itself; nobody rests';
    case 'survives':
      return 'done by somebody';
    case 'passed-on':
      return 'held, then the next worker';
    case 'goes-on':
      return 'rests, then the same conversation';
    case 'resumes':
      return 'resumed, the same conversation';
    case 'rests': {
      const { kind, scope, reset } = expected;
      const length =
        reset === undefined ? '' : reset === 'named' ? ' as named' : ` ${formatDuration(reset.in)}`;
      return `${kind}, ${scope === 'seat' ? 'seat' : 'model'} rests${length}`;
    }
    default:
      return unreachable(expected);
  }
}
