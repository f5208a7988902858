import type { DurationMs, EpochMs } from '../core/time.ts';
import { durationMs, fromIso } from '../core/time.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { harmlessLine } from '../core/harmless.ts';
import { formatSeconds, formatUntil } from './format.ts';
import { HANDOVER_WORDS, KIND_WORDS } from './kind-words.ts';

/** One line of a session's story. */
export interface Told {
  readonly at: EpochMs;
  readonly worker: string;
  readonly text: string;
}

/**
 * What a ledger entry says, for a person who asks why; `undefined` for what explains no decision. The ledger may be of
 * another version: what is not there is left out, and an unknown type is told by its name.
 */
export function tellEntry(entry: LedgerEntry, now: EpochMs, zone: string): Told | undefined {
  const said = sentence(entry, now, zone);
  const at = fromIso(entry.at);
  if (said === undefined || at === undefined) return undefined;
  const worker = text(entry, 'worker') || text(entry, 'to');
  return { at, worker: harmlessLine(worker), text: harmlessLine(said).replaceAll('\n', ' ') };
}

function sentence(entry: LedgerEntry, now: EpochMs, zone: string): string | undefined {
  const reason = text(entry, 'reason');
  const until = untilOf(entry, now, zone);
  switch (entry.type) {
    case 'session.started':
      return `${entry['resumed'] === true ? 'goes on with' : 'was asked'}: ${text(entry, 'task')}`;
    case 'worker.skipped':
      return `passed over: ${reason}${until === '' ? '' : `, ${until}`}`;
    case 'attempt.started': {
      const model = text(entry, 'model');
      const last =
        entry['lastResort'] === true
          ? ', as the last resort: it had failed lately, and nobody healthier could'
          : '';
      return `chosen, and started${model === '' ? '' : ` with model ${model}`}${last}`;
    }
    case 'signal':
      return `${kindOf(entry)} (${text(entry, 'source')}, ${text(entry, 'scope')}): ${text(entry, 'evidence')}`;
    case 'attempt.ended': {
      const killed = text(entry, 'killedBecause') === '' ? '' : ', ended by secondwind';
      const why = reason === '' ? '' : `: ${reason}`;
      return `${text(entry, 'outcome')}${why}${killed}, after ${length(entry, 'durationMs')}`;
    }
    case 'cooldown.recorded':
      return `${seatOf(entry)} rests ${until === '' ? 'until cleared' : until} (${kindOf(entry)}, ${text(entry, 'source')})`;
    case 'cooldown.not-recorded':
      return `its rest is not recorded: ${reason}`;
    case 'cooldown.cleared':
      return `its rest is over (${text(entry, 'by')})`;
    case 'hold.started':
      return `the provider is busy: held for ${length(entry, 'delayMs')}`;
    case 'wait.started':
      return until === '' ? 'waits for a place on its seat' : `everybody rests: waits for it ${until}`;
    case 'wait.ended':
      return `waited ${length(entry, 'waitedMs')}`;
    case 'handoff':
      return `takes over from ${text(entry, 'from')} (${wayOf(entry)})`;
    case 'rule':
      return entry['outcome'] === 'matched' ? matched(entry) : undefined;
    case 'session.ended':
      return ended(entry, until);
    case 'attempt.tool':
    case 'attempt.retrying':
    case 'attempt.note':
    case 'attempt.text':
    case 'attempt.unknown':
    case 'hold.ended':
    case 'reading':
      return undefined;
    default:
      return reason === '' ? entry.type : `${entry.type}: ${reason}`;
  }
}

function matched(entry: LedgerEntry): string {
  const used = `${text(entry, 'window')} of seat ${text(entry, 'seat')} is at ${String(Math.round(Number(entry['usedPercent'] ?? 0)))} %`;
  const note = text(entry, 'note') === '' ? '' : ` (${text(entry, 'note')})`;
  const rule = `rule ${String(Number(entry['rule'] ?? 0))}`;
  const { behind } = entry;
  return Array.isArray(behind) && behind.length === 0
    ? `${rule} matches, and moves nobody: ${used}${note}`
    : `${rule}: ${used}, so others are asked first${note}`;
}

function ended(entry: LedgerEntry, until: string): string {
  const switches = Number(entry['switchCount'] ?? 0);
  const held = Number(entry['heldMs'] ?? 0) > 0 ? `, held for ${length(entry, 'heldMs')}` : '';
  const back = text(entry, 'retryAt') === '' ? '' : `, the first is back ${until.replace(/^until/, 'at')}`;
  const why = text(entry, 'reason') === '' ? '' : `: ${text(entry, 'reason')}`;
  return `${text(entry, 'outcome')}${why}, after ${String(switches)} ${switches === 1 ? 'switch' : 'switches'}${held}${back}`;
}

function kindOf(entry: LedgerEntry): string {
  const kind = text(entry, 'kind');
  return kind in KIND_WORDS ? KIND_WORDS[kind as keyof typeof KIND_WORDS] : kind;
}

function wayOf(entry: LedgerEntry): string {
  const how = text(entry, 'how');
  return how in HANDOVER_WORDS ? HANDOVER_WORDS[how as keyof typeof HANDOVER_WORDS] : how;
}

function seatOf(entry: LedgerEntry): string {
  const model = text(entry, 'model');
  return `${model === '' ? '' : `model ${model} on `}seat ${text(entry, 'seat')}`;
}

function untilOf(entry: LedgerEntry, now: EpochMs, zone: string): string {
  const instant = fromIso(text(entry, 'until') || text(entry, 'retryAt'));
  return instant === undefined ? '' : formatUntil(instant, now, zone).replace(/ \(in 0s\)$/, '');
}

function length(entry: LedgerEntry, key: string): string {
  const value = entry[key];
  return formatSeconds((typeof value === 'number' ? durationMs(value) : 0) as DurationMs);
}

function text(entry: LedgerEntry, key: string): string {
  const value = entry[key];
  return typeof value === 'string' ? value : '';
}
