import { InvalidArgumentError } from 'commander';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { fromIso, parseDuration } from '../core/time.ts';

/** How option values are read; what they throw is commander's own way to say that a value is wrong (exit 2). */

export function duration(text: string): DurationMs {
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.value;
  throw new InvalidArgumentError(`It is ${parsed.error}.`.replace('It is expected', 'Expected'));
}

/** A length of time in which something can happen. */
export function positiveDuration(text: string): DurationMs {
  const length = duration(text);
  if (length > 0) return length;
  throw new InvalidArgumentError(`Expected a duration above zero, but found '${text}'.`);
}

export function nonEmpty(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Expected a name, but found nothing.');
}

export function positiveInteger(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`Expected a whole number from 1 to 9999, but found '${text}'.`);
}

export function instant(text: string): EpochMs {
  const read = fromIso(text);
  if (read !== undefined) return read;
  throw new InvalidArgumentError(`Expected an instant such as 2026-11-29T20:15:00Z, but found '${text}'.`);
}

export function exitCode(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return Number(text);
  throw new InvalidArgumentError(`Expected an exit code from 0 to 255, but found '${text}'.`);
}
