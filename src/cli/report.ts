import type { Event, RuleWeighed } from '../core/event.ts';
import type { WorkerId } from '../core/ids.ts';
import type { EpochMs } from '../core/time.ts';
import type { Terminal } from '../system/terminal.ts';
import { harmless, harmlessFields } from '../core/harmless.ts';
import { formatSeconds, formatUntil } from './format.ts';
import { HANDOVER_WORDS, KIND_WORDS } from './kind-words.ts';
import type { Style } from './style.ts';

export interface ReportOptions {
  readonly terminal: Terminal;
  readonly style: Style;
  /** Asked for when a time is told: most runs tell none, and the first question takes as long as a tenth of a start. */
  readonly zone: string;
  readonly now: () => EpochMs;
  /** Only what a person has to know: rests, handoffs and the end. */
  readonly quiet: boolean;
  /** The longest name in the fleet: all are padded to it. */
  readonly nameWidth: number;
}

/**
 * Tells a person, on stderr, which worker runs, what it says and does as it streams, why it was ended, until when
 * it rests and who takes over. Every line begins with the worker's name, so a log of many still reads.
 */
export function createReport(options: ReportOptions): (event: Event) => void {
  const { terminal, style, now, quiet, nameWidth } = options;
  const { faint, strong, good, bad, warn, name } = style;
  const lead = (worker: WorkerId): string => `${name(worker.padEnd(nameWidth))} ${faint('│')} `;
  const say = (worker: WorkerId, text: string): void => {
    for (const line of harmless(text).trimEnd().split('\n')) terminal.err(`${lead(worker)}${line}\n`);
  };
  const styled = (worker: WorkerId, text: string): void => {
    terminal.err(`${lead(worker)}${text}\n`);
  };
  const until = (instant: EpochMs | undefined): string => formatUntil(instant, now(), options.zone);
  const untilIfKnown = (instant: EpochMs | undefined): string =>
    instant === undefined ? '' : `, ${until(instant)}`;

  const text = new StreamedText(say);
  // Told when somebody else starts, or a wait; a session that ends over it names everybody anyway.
  let skipped: Extract<Event, { type: 'worker.skipped' }>[] = [];
  const tellSkipped = (): void => {
    for (const { worker, reason, until: back } of skipped) {
      styled(worker, warn(`skipped: ${reason}${untilIfKnown(back)}`));
    }
    skipped = [];
  };
  return (told) => {
    // What an agent says comes in pieces, and is made harmless when a line of it is whole.
    const event = told.type === 'attempt.text' ? told : harmlessFields(told);
    if (event.type !== 'attempt.text') text.flush();
    if (event.type === 'attempt.started' || event.type === 'wait.started' || event.type === 'handoff')
      tellSkipped();
    switch (event.type) {
      case 'worker.skipped':
        skipped.push(event);
        return;
      case 'attempt.started': {
        const model = event.model === undefined ? '' : `, model ${event.model}`;
        if (!quiet)
          styled(
            event.worker,
            strong('starts') +
              faint(` (${event.adapter}${model}, pid ${String(event.pid)})`) +
              (event.lastResort
                ? warn(' as the last resort: it failed lately, and nobody healthier can take the task')
                : ''),
          );
        return;
      }
      case 'attempt.text':
        if (!quiet) text.add(event);
        return;
      case 'attempt.tool':
        if (!quiet) sayTool(event);
        return;
      case 'attempt.retrying': {
        const delay = event.delayMs === undefined ? '' : `, in ${formatSeconds(event.delayMs)}`;
        const status = event.status === undefined ? '' : ` (HTTP ${String(event.status)})`;
        if (!quiet)
          styled(event.worker, warn(`${RETRY_WORDS[event.kind]}${status}: it tries again by itself${delay}`));
        return;
      }
      case 'attempt.note':
        if (!quiet) styled(event.worker, faint(event.text));
        return;
      case 'attempt.ended':
        if (event.outcome === 'done') {
          const note = event.killedBecause === undefined ? '' : ` (${event.killedBecause})`;
          if (!quiet) styled(event.worker, good(`done in ${formatSeconds(event.durationMs)}${note}`));
          return;
        }
        styled(
          event.worker,
          bad(`${event.killedBecause === undefined ? 'gave up' : 'ended'}: ${event.reason ?? ''}`),
        );
        return;
      case 'cooldown.recorded': {
        const what =
          event.model === undefined ? `seat ${event.seat}` : `model ${event.model} on seat ${event.seat}`;
        styled(event.worker, warn(`${KIND_WORDS[event.kind]}: ${what} rests ${until(event.until)}`));
        return;
      }
      case 'cooldown.not-recorded':
        styled(event.worker, bad(`its rest is not recorded: ${event.reason}`));
        return;
      case 'cooldown.cleared':
        styled(event.worker, good(`its cooldown is over (${event.by})`));
        return;
      case 'hold.started':
        styled(event.worker, warn(`busy: held for ${formatSeconds(event.delayMs)}, then tried again`));
        return;
      case 'wait.started':
        styled(
          event.worker,
          event.until === undefined
            ? faint('everybody is at work; waiting for a place')
            : warn(`everybody rests; waiting ${until(event.until)}`),
        );
        return;
      case 'wait.ended':
        if (!quiet) terminal.err(`${faint(`waited ${formatSeconds(event.waitedMs)}`)}\n`);
        return;
      case 'handoff':
        styled(event.to, strong(`takes over from ${event.from}`) + faint(` (${HANDOVER_WORDS[event.how]})`));
        return;
      case 'reading':
        if (event.warning)
          styled(
            event.worker,
            warn(`the ${event.window} window is nearly full${untilIfKnown(event.resetAt)}`),
          );
        return;
      case 'rule':
        if (event.outcome === 'matched' && !quiet) terminal.err(`${faint(matchWords(event))}\n`);
        return;
      case 'session.started':
      case 'signal':
      // For scripts, `selftest --live` and `doctor`: a run that goes well is not to be disturbed by it.
      case 'attempt.unknown':
      case 'hold.ended':
      case 'session.ended':
        return;
    }
  };

  function sayTool({ worker, name: tool, detail, status }: Extract<Event, { type: 'attempt.tool' }>): void {
    if (status === 'started') styled(worker, faint('• ') + tool + faint(detail === '' ? '' : ` ${detail}`));
    else if (status === 'failed') styled(worker, faint(`• ${tool} failed`.replace('  ', ' ')));
  }
}

function matchWords({ rule, window, seat, usedPercent, note, behind }: RuleWeighed): string {
  const why = note === undefined ? '' : ` (${note})`;
  const used = `${window} of seat ${seat} is at ${String(Math.round(usedPercent ?? 0))} %`;
  return behind.length === 0
    ? `rule ${String(rule)} matches, and moves nobody: ${used}${why}`
    : `rule ${String(rule)}: ${used}, so others are asked first${why}`;
}

/** Puts pieces of a message together and tells whole lines of it. */
class StreamedText {
  readonly #say: (worker: WorkerId, text: string) => void;
  #worker: WorkerId | undefined;
  #pending = '';

  constructor(say: (worker: WorkerId, text: string) => void) {
    this.#say = say;
  }

  add({ worker, text, delta }: Extract<Event, { type: 'attempt.text' }>): void {
    if (this.#worker !== worker || !delta) this.flush();
    this.#worker = worker;
    this.#pending += text;
    if (!delta) {
      this.flush();
      return;
    }
    const end = this.#pending.lastIndexOf('\n');
    if (end === -1) return;
    this.#say(worker, this.#pending.slice(0, end));
    this.#pending = this.#pending.slice(end + 1);
  }

  flush(): void {
    if (this.#pending !== '' && this.#worker !== undefined) this.#say(this.#worker, this.#pending);
    this.#pending = '';
  }
}

/** While the CLI retries it is not known yet whether a 429 is a closed window. */
const RETRY_WORDS = { ...KIND_WORDS, 'rate-limit': 'asked to slow down' } as const;
