import { isRecord } from '../workers/json-lines.ts';
import type { Kind } from './check-options.ts';
import { OPTION_KINDS, TEXT, whyUnfit, whyUnknown, YES_OR_NO } from './check-options.ts';
import type { Refusal } from './host.ts';
import type { ResumeOptions, RunOptions } from './options.ts';
import { shown } from './shown.ts';
import { whyNoTask } from './task-text.ts';

// Whoever calls from JavaScript may have given anything, whatever the types say.

/** Of another realm too, so not by its class. */
const SIGNAL: Kind = {
  expected: 'an AbortSignal (an AbortController has one as its signal)',
  fits: (value) =>
    typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
};
export const VARIABLES: Kind = {
  expected: 'variables, each a text',
  fits: (value) =>
    isRecord(value) && Object.values(value).every((one) => one === undefined || typeof one === 'string'),
};
export const CALLABLE: Kind = { expected: 'a function', fits: (value) => typeof value === 'function' };

const RUN_KINDS: Readonly<Record<keyof RunOptions, Kind>> = { signal: SIGNAL, worktree: YES_OR_NO };
const RESUME_KINDS: Readonly<Record<keyof ResumeOptions, Kind>> = { signal: SIGNAL, addition: TEXT };

/** What is wrong with what `createFleet` was called with, but for what `checkOptions` looks at. */
export function whyNotCreate(options: unknown, kinds: Readonly<Record<string, Kind>>): Refusal | undefined {
  return usage(whyNoOptions(options, kinds, Object.keys(OPTION_KINDS)));
}

/** What is wrong with what `run` was called with. */
export function whyNotRun(task: unknown, options: unknown): Refusal | undefined {
  return usage(whyNoText('the task', task) ?? whyNoOptions(options, RUN_KINDS));
}

/** What is wrong with what `resume` was called with. */
export function whyNotResume(session: unknown, options: unknown): Refusal | undefined {
  if (typeof session !== 'string') return usage(`expected the id of a session, but found ${shown(session)}.`);
  const wrong = whyNoOptions(options, RESUME_KINDS);
  if (wrong !== undefined || !isRecord(options) || options['addition'] === undefined) return usage(wrong);
  return usage(whyNoText('the addition', options['addition']));
}

function whyNoText(what: string, text: unknown): string | undefined {
  if (typeof text !== 'string') return `${what} is no text, but ${shown(text)}.`;
  const wrong = whyNoTask(text);
  return wrong && `${what} ${wrong}`;
}

function whyNoOptions(
  options: unknown,
  kinds: Readonly<Record<string, Kind>>,
  others: readonly string[] = [],
): string | undefined {
  if (!isRecord(options)) return `expected options, but found ${shown(options)}.`;
  for (const [name, kind] of Object.entries(kinds)) {
    const wrong = whyUnfit(options[name], kind);
    if (wrong !== undefined) return `${name}: ${wrong}`;
  }
  return whyUnknown(options, [...others, ...Object.keys(kinds)]);
}

function usage(message: string | undefined): Refusal | undefined {
  return message === undefined ? undefined : { reason: 'usage', message };
}
