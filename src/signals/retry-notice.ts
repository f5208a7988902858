import type { DurationMs } from '../core/time.ts';
import { readDuration } from './durations.ts';
import { normalise } from './normalise.ts';

/** A CLI's own word that it tries again by itself: what went wrong, and how long it is going to wait. */
export interface RetryNotice {
  /** The words about the trouble, without the frame around them; may be empty. */
  readonly about: string;
  readonly delayMs: DurationMs | undefined;
}

/** Each with a group `about`, and a group `delay` where the CLI says one. Tested on normalised text. */
const NOTICES: readonly { readonly frame: RegExp; readonly source: string }[] = [
  {
    frame: /^(?:⎿ |\W )?API Error \((?<about>.*?)\) · Retrying in (?<delay>[\w. ]+?)(?:…|\.\.\.)/i,
    source: 'claude up to 1.0.x: "API Error (…) · Retrying in 4 seconds… (attempt 4/10)"',
  },
  {
    frame: /^(?:\W+ )?Reconnecting\.\.\. \d+\/\d+ \(\d+s · esc to interrupt\)(?: └)? (?<about>.*)$/i,
    source: 'codex 0.92.0 TUI, openai/codex#10068',
  },
  {
    frame: /^(?:\W+ )?Reconnecting\.\.\. (?<about>waiting for network\b.*)$/i,
    source: 'codex exec 0.171: "Reconnecting... waiting for network (…)"',
  },
  {
    frame: /^(?:\W+ )?Reconnecting\.\.\.(?: \d+\/\d+)?(?: \((?<about>.*)\))?$/i,
    source: 'codex exec 0.142 to 0.171: "Reconnecting... 2/5 (…)"',
  },
  {
    frame: /^(?<about>.*?); retrying \d+\/\d+ in (?<delay>[\w.]+?)(?:…|\.\.\.)/i,
    source: 'codex 0.36: "stream error: …; retrying 1/5 in 209ms…"',
  },
  {
    frame: /^(?:\W+ )?Attempt \d+ failed: (?<about>.*?)\.? Retrying after (?<delay>\d+ms)/i,
    source: 'gemini 0.61.0, retry.ts: "Attempt 1 failed: {message}. Retrying after 6173ms..."',
  },
  {
    frame: /^(?:\W+ )?Attempt \d+ failed(?<about>.*? Retrying with backoff\.\.\..*)$/i,
    source:
      'gemini 0.61.0, retry.ts: "Attempt 1 failed with status 429. Retrying with backoff... {dump}"; qwen inherits it',
  },
  {
    frame: /^(?<about>.*?) ?\[retrying in (?<delay>[\w. ]+?)(?: -)? attempt #\d+\]/i,
    source: 'opencode 1.2.10 and 1.18.28: "… [retrying in 32m 50s attempt #1]"',
  },
  {
    frame: /^(?<about>.*?) ?[-·]? ?retrying in (?<delay>[\w. ]+?) - attempt #\d+/i,
    source: 'opencode 2026: "… retrying in 20h28m - attempt #1"',
  },
  {
    frame: /^(?:\W+ )?(?<about>)Waiting for API response · will retry in (?<delay>[\w.]+)/i,
    source: 'claude 2.1.261 and later, code.claude.com errors page',
  },
  {
    frame: /^(?:\W+ )?(?<about>)Retrying in (?<delay>[\w. ]+?)(?:…|\.\.\.)/i,
    source: 'qwen 0.14: "↻ Retrying in 5s… (attempt 2/5)"; claude 2.1.x TUI',
  },
  {
    frame: /^(?<about>.*?) ● Continuing autonomously\b/i,
    source: 'copilot autopilot 2026: goes on after a refusal, github/copilot-cli',
  },
  {
    frame:
      /^✕ \[API Error: (?<about>.*)\] Possible quota limitations in place .*? Switching to the \S+ model/i,
    source:
      'gemini 0.20 TUI (only the TUI draws ✕, and it did switch); headless 0.61.0 says the same and does not',
  },
];

/** A notice with its dump of a body has some 1,500 characters; a line may be 16 MiB. */
const LONGEST = 20_000;

/** `undefined` when the text is no notice of a retry. */
export function readRetryNotice(text: string): RetryNotice | undefined {
  const line = normalise(text.slice(0, LONGEST));
  for (const { frame } of NOTICES) {
    const groups = frame.exec(line)?.groups;
    if (groups === undefined) continue;
    const { about = '', delay } = groups;
    return { about: aboutOf(about), delayMs: delay === undefined ? undefined : readDuration(delay) };
  }
  return undefined;
}

/** Takes gemini's own words out of what its second frame leaves: ` with status 429. Retrying with backoff... {dump}`. */
function aboutOf(words: string): string {
  const dump = /^(?: with status (\d{3})| with 5xx error)?\.? Retrying with backoff\.\.\.\s*(.*)$/i.exec(
    words,
  );
  if (dump === null) return words.trim();
  const [, status, rest = ''] = dump;
  return `${status === undefined ? '' : `status ${status} `}${rest}`.trim();
}
