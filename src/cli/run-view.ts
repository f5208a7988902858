import type { Event } from '../core/event.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { between, durationMs, formatDuration, SECOND } from '../core/time.ts';
import type { Clock } from '../system/clock.ts';
import { harmlessFields } from '../core/harmless.ts';
import type { Style } from './style.ts';

export interface RunViewOptions {
  readonly show: (lines: readonly string[]) => void;
  readonly style: Style;
  readonly clock: Clock;
}

/** What the session is at, at this moment. */
type At =
  | { readonly type: 'nothing' }
  | { readonly type: 'work'; readonly worker: string; readonly since: DurationMs; readonly doing: string }
  | {
      readonly type: 'wait';
      readonly worker: string;
      readonly what: string;
      readonly until: EpochMs | undefined;
    };

/** The last line of a run on a terminal: who works and for how long, what it does, how full its windows are, or the countdown of a wait. */
export function runView({ show, style, clock }: RunViewOptions): (event: Event) => void {
  const { faint, name, strong, warn } = style;
  const windows = new Map<string, string>();
  let at: At = { type: 'nothing' };
  const over = new AbortController();

  const draw = (): void => {
    switch (at.type) {
      case 'nothing':
        show([]);
        return;
      case 'work': {
        const took = formatDuration(durationMs(clock.monotonic() - at.since));
        const quota = windows.size === 0 ? '' : faint(`  ${[...windows.values()].join(', ')} used`);
        show([`${strong('▸')} ${name(at.worker)} ${took} ${faint(at.doing)}${quota}`]);
        return;
      }
      case 'wait': {
        const left = at.until === undefined ? '' : ` ${formatDuration(between(clock.now(), at.until))}`;
        show([`${strong('▸')} ${name(at.worker)} ${warn(`${at.what}${left}`)}`]);
        return;
      }
    }
  };
  void (async () => {
    while (!over.signal.aborted) {
      await clock.sleep(SECOND, over.signal);
      draw();
    }
  })();

  return (told) => {
    const event = told.type === 'attempt.text' ? told : harmlessFields(told);
    at = next(at, event, clock, windows);
    if (event.type === 'session.ended') over.abort();
    draw();
  };
}

function next(at: At, event: Event, clock: Clock, windows: Map<string, string>): At {
  switch (event.type) {
    case 'attempt.started':
      windows.clear();
      return { type: 'work', worker: event.worker, since: clock.monotonic(), doing: 'starts' };
    case 'attempt.tool':
      if (at.type !== 'work' || event.status !== 'started') return at;
      return { ...at, doing: `${event.name} ${event.detail}`.trim() };
    case 'attempt.text':
      return at.type === 'work' ? { ...at, doing: 'writes' } : at;
    case 'attempt.retrying':
      return at.type === 'work' ? { ...at, doing: 'tries again by itself' } : at;
    case 'reading':
      if (event.usedPercent !== undefined)
        windows.set(event.window, `${event.window} ${String(Math.round(event.usedPercent))} %`);
      return at;
    case 'hold.started': {
      const until = (clock.now() + event.delayMs) as EpochMs;
      return { type: 'wait', worker: event.worker, what: 'is busy; tried again in', until };
    }
    case 'wait.started':
      return event.until === undefined
        ? {
            type: 'wait',
            worker: event.worker,
            what: 'is at work elsewhere; waiting for a place',
            until: undefined,
          }
        : { type: 'wait', worker: event.worker, what: 'is the first back, in', until: event.until };
    case 'attempt.ended':
    case 'hold.ended':
    case 'wait.ended':
    case 'session.ended':
      return { type: 'nothing' };
    default:
      return at;
  }
}
