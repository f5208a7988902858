import type { Signal } from '../core/signal.ts';
import type { Variables } from '../system/environment.ts';
import type { ClosedWindow, WindowsRecord } from '../signals/rollout.ts';
import type { Adapter, ReadingFiles } from './adapter.ts';

/** The newest reading in a CLI's files. */
export type NewestReading = (files: ReadingFiles, folder: string) => WindowsRecord | undefined;

/** A refusal that names no reset may find it in what the CLI itself noted on disk. */
export function withReading(
  signal: Signal,
  { readings }: Adapter,
  env: Variables,
  { newestReading, home }: { readonly newestReading: NewestReading; readonly home: string },
): Signal {
  if (readings === undefined || !mayHideWindow(signal)) return signal;
  const closed = newestReading(readings, readings.folder(env, home))?.closed;
  return closed === undefined ? signal : withClosedWindow(signal, closed);
}

/** "Workspace is out of credits" twice hid a plain window (reported of Codex), so money is looked into as well. */
function mayHideWindow(signal: Signal): boolean {
  return signal.resetAt === undefined && (signal.kind === 'rate-limit' || signal.kind === 'out-of-credits');
}

function withClosedWindow(signal: Signal, { resetAt, scope, reason }: ClosedWindow): Signal {
  const narrowest = signal.scope === 'seat' || signal.scope === 'workspace' ? scope : signal.scope;
  return {
    ...signal,
    kind: 'rate-limit',
    scope: narrowest,
    resetAt,
    reason,
    untilCleared: false,
    source: 'file',
  };
}
