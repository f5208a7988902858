import type { EndedAttempt } from '../workers/attempt.ts';

/**
 * Runs an attempt, and takes a changed work tree for work that was begun, whatever the stream said (DESIGN 7): asked
 * only when it was refused before any content, as nobody would send its prompt again otherwise. Only where git keeps the
 * work tree can that be told; `fingerprint` resolves with `undefined` elsewhere. It is taken while the attempt starts, so
 * that nothing waits for it.
 */
export async function withCommitPoint(
  run: () => Promise<EndedAttempt>,
  fingerprint: () => Promise<string | undefined>,
): Promise<EndedAttempt> {
  const before = fingerprint();
  const ended = await run();
  if (ended.ending.type !== 'refused' || ended.progress.committed) return ended;
  const was = await before;
  // One that can no longer be told has changed too, as far as anybody knows.
  if (was === undefined || (await fingerprint()) === was) return ended;
  return { ...ended, progress: { ...ended.progress, committed: true } };
}
