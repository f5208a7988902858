import { DEFAULT_HOLD, DEFAULT_PATIENCE, DEFAULT_RESTS } from '../core/policy.ts';
import { toIso } from '../core/time.ts';
import type { ReplayVerdict } from '../fleet/replay.ts';
import { replay } from '../fleet/replay.ts';
import type { Adapter } from '../workers/adapter.ts';
import { differences } from './differences.ts';
import type { Person, Removed } from './personal.ts';
import { Cleaner } from './personal.ts';
import type { Recording } from './record.ts';
import { verdictJson } from './verdict-json.ts';

/** A recorded run that is to become a fixture. */
export interface Captured {
  readonly adapter: Adapter;
  readonly recording: Recording;
  readonly name: string;
  /** As the CLI says it itself. */
  readonly version: string | undefined;
  /** IANA. */
  readonly zone: string;
  /** What the CLI noted of its windows itself. */
  readonly notes: readonly string[];
  readonly args: readonly string[];
  /** By whom: `secondwind 0.1.0`. */
  readonly by: string;
}

export interface CaptureFiles {
  /** Text by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly removed: readonly Removed[];
  readonly verdict: ReplayVerdict;
  /** Taking personal details out changed what secondwind makes of it: then the capture is not to be trusted. */
  readonly isAltered: boolean;
}

/** The files of a fixture: the run without personal details, its facts, and a draft of what was to be expected of it. */
export function captureFiles(captured: Captured, person: Person): CaptureFiles {
  const { adapter, recording, name, version, zone, notes, args, by } = captured;
  const cleaner = new Cleaner(person);
  const lines = recording.lines.map((line) => ({ ...line, text: cleaner.line(line.text) }));
  const cleanNotes = notes.map((note) => cleaner.line(note));
  const judge = (run: Pick<Recording, 'lines'>, noted: readonly string[]): ReplayVerdict =>
    replay({
      ...{
        adapter,
        lines: run.lines,
        startedAt: recording.startedAt,
        zone,
        exit: recording.exit,
        notes: noted,
      },
      ...{ patience: { patienceMs: DEFAULT_PATIENCE, holdMs: DEFAULT_HOLD }, rests: DEFAULT_RESTS },
    });
  const verdict = judge({ lines }, cleanNotes);
  const facts = {
    ...{
      cli: adapter.name,
      version: version === undefined ? 'unknown' : cleaner.line(version),
      scenario: name,
    },
    ...{ startedAt: toIso(recording.startedAt), tz: zone, options: optionsIn(args) },
    wallMs: recording.wallMs,
    exit:
      recording.exit === undefined
        ? null
        : { code: recording.exit.code ?? null, signal: recording.exit.signal ?? null },
    ...{ stoppedByCapture: recording.exit === undefined, capturedBy: by },
  };
  return {
    files: {
      'stream.jsonl': lines
        .map(({ t, channel, text }) => `${JSON.stringify({ t, ch: channel, line: text })}\n`)
        .join(''),
      'capture.json': pretty(facts),
      'expected.json': pretty({ why: draftWhy(by), ...draftOf(verdict) }),
      ...(cleanNotes.length === 0 ? {} : { 'rollout.jsonl': `${cleanNotes.join('\n')}\n` }),
    },
    removed: cleaner.removed,
    verdict,
    isAltered: differences(draftOf(judge(recording, notes)), verdictJson(verdict)).length > 0,
  };
}

/** Flags tell what a stream is; what stands between them is the task, and a person's own. */
function optionsIn(args: readonly string[]): readonly string[] {
  return args.filter((arg) => /^--?[A-Za-z][\w-]*$/.test(arg));
}

function draftWhy(by: string): string {
  return `DRAFT by ${by}: this is what it makes of the run. Say here what a user would have wanted, and change what is not that.`;
}

/** What a fixture expects of a verdict: what was decided, without how it was worded. */
function draftOf(verdict: ReplayVerdict): Record<string, unknown> {
  const { outcome, signal, cooldown, actedAt, killed } = verdictJson(verdict) as {
    readonly outcome: string;
    readonly signal: Readonly<Record<string, unknown>> | null;
    readonly cooldown: Readonly<Record<string, unknown>> | null;
    readonly actedAt: unknown;
    readonly killed: boolean;
  };
  return {
    outcome,
    signal: signal === null ? null : only(signal, ['kind', 'scope', 'resetAt', 'source']),
    cooldown: cooldown === null ? null : only(cooldown, ['kind', 'until', 'source']),
    ...{ actedAt, killed },
  };
}

function only(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
