import { describe, expect, it } from 'vitest';
import { aFleet, DONE, eventsOf, INIT, LIMIT, toldByProgram, WORD } from '../rig/a-fleet.ts';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

const KEY = 'a-key-that-is-nobodys-business';

/** A worker with a key in each place where its configuration may have one. */
function keep(stage: Stage): void {
  const worker = { id: 'paid', adapter: 'claude', command: ['claude', `--token=${KEY}`] };
  stage.configure({ workers: [{ ...worker, args: ['--key', KEY], env: { ANTHROPIC_API_KEY: KEY } }] });
}

/** All that can be reached, whether JSON would show it or not. */
function reachable(value: unknown, seen = new Set<unknown>()): readonly unknown[] {
  if (seen.has(value)) return [];
  seen.add(value);
  if (typeof value !== 'object' || value === null) return [value];
  return Reflect.ownKeys(value).flatMap((key) => [key, ...reachable(Reflect.get(value, key), seen)]);
}

describe('what a fleet tells holds no key of a worker', () => {
  it.each([
    ['done', `${INIT}\n${WORD}\n${DONE}`],
    ['failed', 'exit 3'],
    ['exhausted', `${INIT}\n${LIMIT}`],
    ['unavailable', undefined],
    ['stopped', `${INIT}\nsleep 60`],
  ])('when a run is %s', async (type, script) => {
    const stage = aStage();
    keep(stage);
    if (script !== undefined) stage.fake('claude', script);
    const fleet = await aFleet(stage, type === 'stopped' ? { timeoutMs: 300 } : {});
    const run = fleet.run('mend the clock');
    const events = await eventsOf(run);
    const outcome = await run.outcome;
    expect(outcome).toMatchObject({ type });
    const all = [outcome, events, fleet, run, await fleet.standings(), await fleet.cooldowns()];
    const words = reachable(all).filter((one) => typeof one === 'string');
    expect(words).toContain('paid');
    expect(words.filter((word) => word.includes(KEY))).toEqual([]);
  });

  it('nor anything that its types do not promise', async () => {
    const stage = aStage();
    stage.fake('claude', DONE);
    expect(Object.keys(await aFleet(stage)).toSorted()).toEqual([
      ...['close', 'cooldowns', 'directory', 'resume', 'run', 'standings', 'workers'],
    ]);
  });
});

it('of a run that is over and that nobody holds nothing is kept', () => {
  const stage = aStage();
  stage.fake('claude', `${INIT}\n${WORD}\n${DONE}`);
  const told = toldByProgram(
    stage,
    `import { getHeapSnapshot } from 'node:v8';
     import { json } from 'node:stream/consumers';
     const fleet = await createFleet({ workers: ['claude'] });
     const { signal } = new AbortController();
     const saved = [];
     for (let count = 1; count <= 10; count += 1) {
       const run = fleet.value.run(['wind', 'clock', count].join(' '), { signal });
       for await (const event of run);
       await run.outcome;
       saved.push(await run.isSaved());
     }
     const held = fleet.value.run(['hold', 'clock', 1].join(' '));
     await held.outcome;
     const { strings } = await json(getHeapSnapshot());
     const kept = strings.filter((text) => /^(wind|hold) clock \\d+$/.test(text));
     const events = [];
     for await (const event of held) events.push(event.type);
     tell({ kept, saved, events });`,
  );
  const { kept, saved, events } = told as Readonly<Record<'kept' | 'saved' | 'events', readonly unknown[]>>;
  expect(events[0]).toBe('session.started');
  // The one that is held is found, so others would be; of those the last may still be on somebody's stack.
  expect(kept).toContain('hold clock 1');
  expect(kept.length).toBeLessThan(4);
  expect(saved).toEqual(Array.from({ length: 10 }, () => true));
});
