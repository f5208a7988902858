import { join } from 'node:path';
import { act, scriptOn } from './acting.ts';
import type { Budget } from './budget.ts';
import { spread } from './budget.ts';
import { median, ratios } from './figures.ts';
import type { Ground } from './ground.ts';
import { placeOn } from './ground.ts';
import type { Stream } from './streams.ts';
import { saveStream, streams } from './streams.ts';
import { byTurns, cost } from './timing.ts';

const MIB = 2 ** 20;

/** Reading what a child prints, against the same pipe read by an empty Node loop. */
export async function reading(ground: Ground): Promise<readonly Budget[]> {
  const all = streams();
  const rows: Budget[] = [];
  for (const stream of all) rows.push(await readingOne(ground, stream));
  const [claude] = all;
  return claude === undefined ? rows : [...rows, ...(await wholeGibibyte(ground, claude))];
}

async function readingOne(ground: Ground, stream: Stream): Promise<Budget> {
  const { name, adapter } = stream;
  const file = join(ground.folder, 'stream');
  const times = ground.quick ? 1 : 3;
  const bytes = saveStream(stream, file, 64 * MIB) * times;
  const told = { adapter, script: scriptOn(ground, 'child', `exec cat ${`"${file}" `.repeat(times)}`) };
  const cpu = { empty: [] as number[], ours: [] as number[] };
  const figures = await byTurns(ground.rounds(3), {
    empty: async () => {
      const { ms, cpuMs } = await act(ground, 'empty', told);
      cpu.empty.push(cpuMs);
      return ms;
    },
    ours: async () => {
      const { ms, cpuMs, outcome = '' } = await act(ground, 'ours', told);
      if (outcome !== 'done') throw new Error(`${name} was read as ${outcome}`);
      cpu.ours.push(cpuMs);
      return ms;
    },
  });
  const rate = (times_: readonly number[]) => times_.map((ms) => bytes / MIB / (ms / 1_000));
  return {
    name: `reading ${name}${stream.isPathological === true ? ' (made to be hard)' : ''}`,
    ...{ unit: 'x an empty loop', figures: ratios(figures.empty, figures.ours), goal: { atLeast: 0.7 } },
    details: [
      `${spread(rate(figures.ours), 0, 'MiB/s')} against ${spread(rate(figures.empty), 0, 'MiB/s')}; ` +
        `${median(ratios(cpu.ours, cpu.empty)).toFixed(2)} x its processor time`,
    ],
  };
}

/** The whole product over 1 GiB, and what it holds of memory then against a sixteenth of that. */
async function wholeGibibyte(ground: Ground, stream: Stream): Promise<readonly Budget[]> {
  const file = join(ground.folder, 'stream');
  saveStream(stream, file, 64 * MIB);
  const place = placeOn(ground, 'gibibyte');
  const peaks = { small: [] as number[], large: [] as number[] };
  const of = (size: 'small' | 'large') => async () => {
    const times = size === 'small' ? 1 : ground.quick ? 4 : 16;
    place.fake('claude', `exec cat ${`"${file}" `.repeat(times)}`);
    const { wall, peakMiB } = await cost(place.product('run', '--quiet', 'x'));
    peaks[size].push(peakMiB);
    return wall;
  };
  const figures = await byTurns(ground.rounds(2), { small: of('small'), large: of('large') });
  return [
    {
      name: `memory of run over ${ground.quick ? '256 MiB' : '1 GiB'}`,
      ...{ unit: 'x that over 64 MiB', figures: ratios(peaks.large, peaks.small), goal: { atMost: 1.25 } },
      details: [
        `at most ${spread(peaks.large, 0, 'MiB')} held against ${spread(peaks.small, 0, 'MiB')}; it took ${spread(figures.large, 0, 'ms')}`,
      ],
    },
  ];
}
