import { hasPassed, replayFixtures } from '../../selftest/offline.ts';
import { absolutePath } from '../../system/input.ts';
import { packageRoot } from '../../system/package-root.ts';
import { jsonText } from '../../core/harmless.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { offlineJson, offlineReport } from '../offline-report.ts';
import { style } from '../style.ts';

/** `secondwind selftest`: replays recorded runs through the code that judges real ones. Spawns nothing. */
export async function selftest(
  io: Io,
  patterns: readonly string[],
  { fixtures, json }: { readonly fixtures?: string; readonly json?: boolean },
): Promise<number> {
  const folder = fixtures === undefined ? `${packageRoot()}/fixtures` : absolutePath(fixtures, io.directory);
  const results = await replayFixtures(folder, patterns);
  if (!results.ok) return refuse(io, { reason: 'usage', message: results.error });
  const { terminal } = io;
  if (json === true) terminal.out(`${jsonText(offlineJson(results.value), 2)}\n`);
  else terminal.out(offlineReport(results.value, style(terminal.colors.out)));
  return results.value.every(hasPassed) ? EXIT.done : EXIT.failed;
}
