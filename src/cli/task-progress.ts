import type { Event } from '../core/event.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { durationMs, formatDuration } from '../core/time.ts';
import type { Outcome } from '../fleet/dispatch.ts';
import type { LiveBlock } from '../system/live-block.ts';
import { harmless, harmlessFields } from '../core/harmless.ts';
import { formatSeconds, formatUntil } from './format.ts';
import { KIND_WORDS } from './kind-words.ts';
import type { Style } from './style.ts';

export interface TaskProgressOptions {
  readonly block: Pick<LiveBlock, 'say' | 'show'>;
  readonly style: Style;
  readonly zone: string;
  readonly now: () => EpochMs;
  readonly monotonic: () => DurationMs;
  readonly total: number;
  readonly quiet: boolean;
}

interface Running {
  readonly task: string;
  readonly since: DurationMs;
  worker: string;
  doing: string;
}

/** What many tasks at once look like to a person: a line each as it ends, and on a terminal who is at what now. */
export class TaskProgress {
  readonly #options: TaskProgressOptions;
  readonly #running = new Map<number, Running>();
  readonly #rests = new Set<string>();
  #over = 0;

  constructor(options: TaskProgressOptions, alreadyDone: number) {
    this.#options = options;
    this.#over = alreadyDone;
  }

  begin(index: number, task: string): void {
    const since = this.#options.monotonic();
    this.#running.set(index, { task: firstLine(task), since, worker: '', doing: 'starts' });
    this.draw();
  }

  /** An event of task number `index`. */
  tell(index: number, told: Event): void {
    const event = told.type === 'attempt.text' ? told : harmlessFields(told);
    const one = this.#running.get(index);
    if (one === undefined) return;
    switch (event.type) {
      case 'attempt.started':
        [one.worker, one.doing] = [event.worker, 'starts'];
        break;
      case 'attempt.tool':
        if (event.status === 'started') one.doing = `${event.name} ${event.detail}`;
        break;
      case 'attempt.text':
        one.doing = 'writes';
        break;
      case 'attempt.retrying':
        one.doing = `${KIND_WORDS[event.kind]}: tries again by itself`;
        break;
      case 'hold.started':
        one.doing = 'the provider is busy; held';
        break;
      case 'wait.started':
        one.doing = event.until === undefined ? 'waits for a place' : `waits ${this.#until(event.until)}`;
        break;
      case 'cooldown.recorded':
        this.#sayRest(event);
        break;
      default:
        return;
    }
    this.draw();
  }

  /** Several tasks may meet one limit, and it is told once. */
  #sayRest({ seat, model, kind, until }: Extract<Event, { type: 'cooldown.recorded' }>): void {
    const what = model === undefined ? `seat ${seat}` : `model ${model} on seat ${seat}`;
    const text = `${KIND_WORDS[kind]}: ${what} rests ${this.#until(until)}`;
    if (this.#rests.has(text)) return;
    this.#rests.add(text);
    this.#options.block.say(`${this.#options.style.warn(text)}\n`);
  }

  end(index: number, outcome: Outcome): void {
    const one = this.#running.get(index);
    this.#running.delete(index);
    this.#over += 1;
    const { style, block, total, quiet, monotonic } = this.#options;
    const took = formatSeconds(durationMs(monotonic() - (one?.since ?? monotonic())));
    const by = one === undefined || one.worker === '' ? '' : `, ${one.worker}`;
    const end = outcome.type === 'done' ? style.good('done') : style.bad(endWords(outcome));
    if (!quiet || outcome.type !== 'done')
      block.say(
        `[${String(this.#over)}/${String(total)}] ${end} #${String(index + 1)} ${one?.task ?? ''} ${style.faint(`(${took}${by})`)}\n`,
      );
    this.draw();
  }

  /** Called also as time goes by. */
  draw(): void {
    const { style, block, total, monotonic } = this.#options;
    const rows = [...this.#running].map(([index, { task, since, worker, doing }]) => {
      const took = formatDuration(durationMs(monotonic() - since));
      return `  #${String(index + 1)} ${style.name(worker === '' ? '…' : worker)} ${took} ${task} ${style.faint(`• ${doing}`)}`;
    });
    const head = `${String(this.#over)} of ${String(total)} over, ${String(rows.length)} at work`;
    block.show(rows.length === 0 ? [] : [style.strong(head), ...rows]);
  }

  #until(until: EpochMs | undefined): string {
    return formatUntil(until, this.#options.now(), this.#options.zone);
  }
}

/** How a task that is not done ended, in a few words. */
export function endWords(outcome: Exclude<Outcome, { type: 'done' }>): string {
  switch (outcome.type) {
    case 'failed':
      return `failed: ${firstLine(outcome.reason)}`;
    case 'exhausted':
      return 'everybody rests';
    case 'unavailable':
      return 'no worker can run';
    case 'stopped':
      return outcome.because;
  }
}

export function firstLine(text: string): string {
  const [line = ''] = harmless(text).trim().split('\n');
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
}
