import type { DurationMs } from '../../core/time.ts';
import { hasTargetPassed, LIVE_CASES, runLive } from '../../selftest/live/live.ts';
import { watchBrowsers } from '../../selftest/live/isolation.ts';
import { DEFAULT_LIMIT } from '../../selftest/live/run-case.ts';
import { Cleaner } from '../../selftest/personal.ts';
import { childStarter } from '../../system/child.ts';
import { parallelism } from '../../system/process.ts';
import { inScratchFolder } from '../../system/scratch.ts';
import { whoAndWhere } from '../../system/who.ts';
import { startUpstream } from '../../upstream/upstream.ts';
import { jsonText } from '../../core/harmless.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { liveJson, liveSum, targetReport } from '../live-report.ts';
import { liveTargets } from '../live-targets.ts';
import { progressLine } from '../progress-line.ts';
import { stoppable } from '../stoppable.ts';
import { style } from '../style.ts';

/** More at once than this only makes each of them slower. */
const WIDEST = 4;

/** `secondwind selftest --live`: the CLIs that are installed, the whole product, and a provider of our own that refuses. */
export async function selftestLive(
  io: Io,
  names: readonly string[],
  { json, timeout }: { readonly json?: boolean; readonly timeout?: DurationMs },
): Promise<number> {
  const targets = await liveTargets(io, names);
  if (!targets.ok) return refuse(io, targets.error);
  const upstream = await startUpstream<string>({ scenarios: {}, clock: io.clock });
  if (!upstream.ok) {
    const message = `selftest --live needs a port on 127.0.0.1 for its provider and got none: ${upstream.error}.`;
    return refuse(io, { reason: 'unavailable', message });
  }
  const { terminal, clock } = io;
  const styled = style(terminal.colors.out);
  const line = progressLine(
    io,
    targets.value.map(({ id, cli }) => ({ id, of: LIVE_CASES[cli].length })),
  );
  return inScratchFolder((folder) =>
    stoppable(async (abort) => {
      const cleaner = new Cleaner({ home: io.home, directory: folder, env: {}, ...whoAndWhere() });
      const world = {
        clean: (text: string) => cleaner.line(text),
        ...{ upstream: upstream.value, folder, abort, clock, startChild: childStarter(clock) },
        limit: timeout ?? DEFAULT_LIMIT,
        path: `${watchBrowsers(folder)}:${io.env['PATH'] ?? ''}`,
      };
      const report = await runLive(targets.value, world, {
        ...{ home: io.home, width: Math.min(WIDEST, parallelism() + 2) },
        onProgress: ({ id }, done) => {
          line.tell(id, done);
        },
        onReport: (one) => {
          if (json !== true && !abort.aborted) terminal.out(targetReport(one, styled));
        },
      });
      line.clear();
      await upstream.value.close();
      if (abort.aborted) return EXIT.interrupted;
      if (json === true) terminal.out(`${jsonText(liveJson(report), 2)}\n`);
      else terminal.out(liveSum(report, styled));
      return report.targets.every(hasTargetPassed) ? EXIT.done : EXIT.failed;
    }),
  );
}
