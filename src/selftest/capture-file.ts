import { DAY, durationMs } from '../core/time.ts';
import type { CapturedLine } from '../fleet/replay.ts';
import { parseObject } from '../signals/json.ts';

/**
 * Reads a capture (`{"t":…,"ch":…,"line":…}` lines) or a CLI's plain output, of which every line counts as stdout at
 * the same moment. Which of both it is, each line says itself.
 */
export function readCapture(text: string): readonly CapturedLine[] {
  let last = durationMs(0);
  return text
    .split('\n')
    .filter((line, index, all) => line !== '' || index < all.length - 1)
    .map((line) => {
      const captured = capturedLine(line) ?? {
        t: last,
        channel: 'stdout' as const,
        text: line.replace(/\r$/, ''),
      };
      last = captured.t;
      return captured;
    });
}

function capturedLine(line: string): CapturedLine | undefined {
  if (!line.startsWith('{')) return undefined;
  const value = parseObject(line);
  if (value === undefined) return undefined;
  const { t, ch, line: text } = value;
  if (!isOffset(t) || typeof text !== 'string' || (ch !== 'stdout' && ch !== 'stderr')) return undefined;
  return { t: durationMs(t), channel: ch, text };
}

/** No run lasts a year: what claims to is some other number. */
function isOffset(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 365 * DAY;
}

/** What a capture's own `capture.json` says of the run; what it does not say, or not so that it can be read, is left out. */
export interface CaptureFacts {
  readonly cli: string | undefined;
  /** As the CLI says it itself: `2.1.197 (Claude Code)`, `codex-cli 0.171.0`. */
  readonly version: string | undefined;
  readonly startedAt: string | undefined;
  readonly zone: string | undefined;
  /** `null`: it was still running when the capture was stopped. */
  readonly exit:
    { readonly code: number | undefined; readonly signal: string | undefined } | null | undefined;
}

export function readCaptureFacts(text: string): CaptureFacts {
  const { cli, version, startedAt, tz, exit } = parseObject(text) ?? {};
  return {
    cli: typeof cli === 'string' ? cli : undefined,
    version: typeof version === 'string' ? version : undefined,
    startedAt: typeof startedAt === 'string' ? startedAt : undefined,
    zone: typeof tz === 'string' ? tz : undefined,
    exit: readExit(exit),
  };
}

function readExit(exit: unknown): CaptureFacts['exit'] {
  if (exit === null) return null;
  if (typeof exit !== 'object') return undefined;
  const { code, signal } = exit as Record<string, unknown>;
  return {
    code: typeof code === 'number' ? code : undefined,
    signal: typeof signal === 'string' ? signal : undefined,
  };
}
