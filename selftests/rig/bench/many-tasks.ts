import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Budget } from './budget.ts';
import { spread } from './budget.ts';
import type { Ground } from './ground.ts';
import { INSTANT, placeOn } from './ground.ts';
import { cost } from './timing.ts';

/** A thousand tasks through a fleet of children that are done at once: how many a second, and what they hold of memory. */
export async function manyTasks(ground: Ground): Promise<readonly Budget[]> {
  const [few, many] = ground.quick ? [50, 200] : [200, 1_000];
  const atOnce = 2 * availableParallelism();
  const [small, large] = [await tasks(ground, few, atOnce), await tasks(ground, many, atOnce)];
  const rate = (count: number, { wall }: { readonly wall: number }) => count / (wall / 1_000);
  return [
    {
      ...{ name: `${many.toLocaleString('en')} tasks, ${String(atOnce)} at once`, unit: 'tasks a second' },
      ...{ figures: [rate(many, large)], digits: 1 },
      details: [
        `${spread([rate(few, small)], 1, 'a second')} of ${String(few)}; ${spread([large.cpu / many], 1, 'ms')} of processor time each`,
      ],
    },
    {
      ...{ name: `memory over ${many.toLocaleString('en')} tasks`, unit: `x that over ${String(few)}` },
      ...{ figures: [large.peakMiB / small.peakMiB], goal: { atMost: 1.25 } },
      details: [
        `at most ${spread([large.peakMiB], 0, 'MiB')} held against ${spread([small.peakMiB], 0, 'MiB')}`,
      ],
    },
  ];
}

async function tasks(ground: Ground, count: number, atOnce: number) {
  const place = placeOn(ground, `tasks-${String(count)}`);
  place.fake('claude', INSTANT);
  const list = join(place.project, 'tasks.txt');
  writeFileSync(list, Array.from({ length: count }, (_, n) => `task ${String(n)}\n`).join(''));
  return cost(place.product('run', '--quiet', '--tasks', list, '-j', String(atOnce)));
}
