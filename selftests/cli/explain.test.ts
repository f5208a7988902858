import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage, playing } from '../rig/cli.ts';

const IDS = ['one', 'two', 'three', 'four'] as const;

interface Drawn {
  readonly rests: readonly { readonly worker: string; readonly kind: string; readonly hours: number }[];
  readonly ill: readonly { readonly worker: string; readonly steps: number }[];
  readonly billed: readonly string[];
}

const aState: fc.Arbitrary<Drawn> = fc.record({
  rests: fc.array(
    fc.record({
      worker: fc.constantFrom(...IDS),
      kind: fc.constantFrom('rate-limit', 'out-of-credits', 'connection-failure'),
      hours: fc.integer({ min: -2, max: 9 }),
    }),
    { maxLength: 4 },
  ),
  ill: fc.uniqueArray(fc.record({ worker: fc.constantFrom(...IDS), steps: fc.integer({ min: 4, max: 5 }) }), {
    selector: ({ worker }) => worker,
    maxLength: 4,
  }),
  billed: fc.subarray([...IDS], { maxLength: 2 }),
});

function write(stage: Stage, { rests, ill, billed }: Drawn): void {
  stage.configure({
    workers: IDS.map((id) => ({
      ...playing('gemini', 'ok', id),
      ...(billed.includes(id) ? { billing: 'api' } : {}),
    })),
  });
  mkdirSync(stage.stateHome, { recursive: true });
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const cooldowns = rests.map(({ worker, kind, hours }) => ({
    ...{ target: { type: 'seat', seat: worker }, worker, kind, since: at(-0.1), until: at(hours) },
    ...{ source: 'event', reason: `${kind} of ${worker}`, evidence: '' },
  }));
  const workers = ill.map(({ worker, steps }) => ({
    ...{ worker, triedAt: at(0), troubles: { 'server-error': { steps, at: at(0) } } },
  }));
  const save = (name: string, state: object) => {
    writeFileSync(join(stage.stateHome, name), JSON.stringify({ version: 1, ...state }));
  };
  save('cooldowns.json', { cooldowns, clearances: [] });
  save('health.json', { workers });
}

type Row = Readonly<Record<string, unknown>> & { readonly worker: string; readonly state: string };

it.each(fc.sample(aState, { numRuns: 6, seed: 20261130 }))(
  'says the same as a run does, in every command (%#)',
  async (drawn) => {
    const stage = aStage();
    write(stage, drawn);
    const json = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await stage.run([...args, '--json'])).stdout);
    const [explained, status, workers] = (await Promise.all([
      json('explain', 'x'),
      json('status'),
      json('workers'),
    ])) as [Row[], Row[], Row[]];
    const { workers: examined } = (await json('doctor')) as {
      workers: { worker: string; cooldown: { reason: string } | null }[];
    };
    const run = await stage.run(['run', '--json', 'x']);

    const first = explained.find(({ place }) => place === 1)?.worker;
    const started = run.events.filter(({ type }) => type === 'attempt.started').map(({ worker }) => worker);
    expect(started).toEqual(first === undefined ? [] : [first]);
    expect(run.code).toBe(first === undefined ? 75 : 0);

    // Seconds may pass between them; what they say of each worker may not change in these.
    const essence = (rows: readonly Row[]) =>
      Object.fromEntries(rows.map(({ worker, state, reason, until }) => [worker, { state, reason, until }]));
    expect(essence(status)).toEqual(essence(explained));
    expect(essence(workers)).toEqual(essence(explained));
    for (const { worker, state, reason } of explained) {
      const cooldown = examined.find((one) => one.worker === worker)?.cooldown;
      expect(cooldown?.reason).toBe(state === 'resting' ? reason : undefined);
    }
    const skipped = run.events.filter(({ type }) => type === 'worker.skipped');
    for (const { worker, reason, until } of skipped) {
      expect(explained.find((one) => one.worker === worker)).toMatchObject({ reason, until: until ?? null });
    }
    const told = new Set(skipped.map(({ worker }) => worker));
    for (const { worker, place } of explained) if (place === null) expect(told).toContain(worker);
  },
);

it('tells a person the order, the reasons and the ends', async () => {
  const stage = aStage();
  write(stage, {
    rests: [{ worker: 'one', kind: 'rate-limit', hours: 2 }],
    ill: [{ worker: 'two', steps: 5 }],
    billed: ['four'],
  });
  const { stdout, code } = await stage.run(['explain', 'mend', 'it']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^'mend it' would be given to the first of these that can do it:\n1\. three\n2\. two: unhealthy/,
  );
  expect(stdout).toMatch(/- {2}one: out of quota \(rate-limit of one\), until .*\d\d:\d\d/);
  expect(stdout).toMatch(/- {2}four: it is billed per use/);
});
