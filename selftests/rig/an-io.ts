import { join } from 'node:path';
import type { Io } from '../../src/cli/io.ts';
import { noticesTo } from '../../src/cli/io.ts';
import type { Clock } from '../../src/system/clock.ts';
import { FakeClock } from './fake-clock.ts';
import { tempFolder } from './temp-folder.ts';

/** A world of the test's own, as a command sees it, and what the command said to it. */
export interface AnIo extends Io {
  /** All of stdout. */
  readonly said: () => string;
  /** All of stderr. */
  readonly complained: () => string;
}

export function anIo(
  overrides: Partial<Omit<Io, 'terminal'>> & {
    readonly columns?: number;
    /** Of the terminal behind stdout; without it there is none. */
    readonly outColumns?: number;
    readonly colors?: 0 | 1 | 2 | 3;
    readonly clock?: Clock;
  } = {},
): AnIo {
  const { columns = 80, outColumns, colors = 0, ...rest } = overrides;
  const folder = tempFolder();
  let [out, err] = ['', ''];
  return {
    terminal: {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      show: () => undefined,
      ...{ columns, outColumns, isLive: false, colors: { out: colors, err: colors } },
      outTaken: () => Promise.resolve(undefined),
    },
    report: noticesTo({ err: (text) => void (err += text) }),
    ...{ clock: new FakeClock(), env: {}, home: folder, stateHome: join(folder, '.secondwind') },
    ...{ directory: folder, zone: 'UTC', ...rest },
    said: () => out,
    complained: () => err,
  };
}
