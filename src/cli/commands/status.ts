import { jsonText } from '../../core/harmless.ts';
import { durationMs, SECOND } from '../../core/time.ts';
import { standings } from '../../fleet/standing.ts';
import { onStopSignals, STOP_SIGNALS } from '../../system/process.ts';
import { openScreen } from '../../system/screen.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { quotaOf } from '../../library/quota.ts';
import type { Plan } from '../../library/plan.ts';
import { planOf } from '../../library/plan.ts';
import { situationOf } from '../../library/situation.ts';
import { standingJson } from '../standing-words.ts';
import { statusFrame } from '../status-frame.ts';
import { style } from '../style.ts';

export interface StatusFlags {
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** `status`: who can take a task now, and when the others are back. */
export async function status(io: Io, { watch, json }: StatusFlags): Promise<number> {
  const plan = await planOf(io, {});
  if (!plan.ok) return refuse(io, plan.error);
  if (watch === true) {
    if (json === true)
      return refuse(io, { reason: 'usage', message: '--watch shows a table; leave out --json.' });
    return watchStatus(io, plan.value);
  }
  const { terminal } = io;
  const situation = await situationOf(io, plan.value);
  const all = standings(situation);
  if (json === true) {
    terminal.out(
      `${jsonText(
        all.map((one) => standingJson(one, situation.now)),
        2,
      )}\n`,
    );
  } else {
    const look = style(terminal.colors.out);
    const readings = await quotaOf(io).read();
    const { now } = situation;
    const frame = statusFrame(all, {
      now,
      zone: io.zone,
      style: look,
      readings,
      columns: terminal.outColumns,
    });
    terminal.out(`${frame.join('\n')}\n`);
  }
  return EXIT.done;
}

/** Shows it over and over until q, Ctrl-C or a signal; then the terminal is as it was. */
async function watchStatus(io: Io, plan: Plan): Promise<number> {
  const screen = openScreen();
  if (screen === undefined) {
    const message = '--watch needs a terminal to draw on; for scripts there is status --json.';
    return refuse(io, { reason: 'usage', message });
  }
  const over = new AbortController();
  let code: number = EXIT.done;
  const end = (with_: number): void => {
    code = with_;
    over.abort();
  };
  const takeOff = onStopSignals(
    (signal) => {
      end(STOP_SIGNALS[signal]);
    },
    () => undefined,
  );
  void screen.left.then((why) => {
    end(why === 'interrupt' ? EXIT.interrupted : EXIT.done);
  });
  const look = style(io.terminal.colors.out);
  const draw = async (): Promise<void> => {
    const situation = await situationOf(io, plan);
    const { columns, rows } = screen.size();
    const frame = statusFrame(standings(situation), {
      now: situation.now,
      zone: io.zone,
      style: look,
      readings: await quotaOf(io).read(),
      // The last column is left free, as the cursor stands there.
      columns: columns - 1,
    });
    const room = Math.max(1, rows - 2);
    const shown =
      frame.length > room
        ? [...frame.slice(0, room - 1), `… and ${String(frame.length - room + 1)} more lines`]
        : frame;
    screen.draw([...shown, '', look.faint('q to quit')]);
  };
  screen.onResize(() => void draw());
  try {
    while (!over.signal.aborted) {
      await draw();
      // At the next full second, so that countdowns move evenly.
      await io.clock.sleep(durationMs(SECOND - (io.clock.now() % SECOND)), over.signal);
    }
  } finally {
    screen.close();
    takeOff();
  }
  return code;
}
