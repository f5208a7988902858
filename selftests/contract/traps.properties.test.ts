import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReplayInput } from '../../src/fleet/replay.ts';
import { ADAPTER_NAMES } from '../../src/workers/registry.ts';
import { FIXTURES, fixtureInput } from '../rig/fixtures.ts';
import { HOSTILE } from '../rig/hostile.ts';
import { AGENT_LINES, isEvent, line, verdictOf } from '../rig/streams.ts';

/** Promise 13 as a property, 10,000 runs over all adapters together. */
const RUNS = { healthy: 2_000, exhausted: 1_334 };

function casesOf(adapter: string, outcome: string): readonly string[] {
  return readdirSync(join(FIXTURES, adapter)).filter((name) => {
    const expected = readFileSync(join(FIXTURES, adapter, name, 'expected.json'), 'utf8');
    return (JSON.parse(expected) as { readonly outcome: string }).outcome === outcome;
  });
}

/** Every line that any CLI printed in any capture: an agent that works on secondwind itself shows them all. */
const CAPTURED = ADAPTER_NAMES.flatMap((adapter) =>
  readdirSync(join(FIXTURES, adapter)).flatMap((name) =>
    readFileSync(join(FIXTURES, adapter, name, 'stream.jsonl'), 'utf8')
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => (JSON.parse(text) as { readonly line: string }).line),
  ),
);

const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.constantFrom(...CAPTURED),
  fc
    .array(fc.constantFrom(...HOSTILE, ...CAPTURED), { minLength: 2, maxLength: 4 })
    .map((all) => all.join('\n')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.json(),
  fc
    .tuple(fc.constantFrom(...HOSTILE, ...CAPTURED), fc.nat({ max: 200 }))
    .map(([text, length]) => text.slice(0, length)),
);

interface Insertion {
  /** Where, as a share of the places there are. */
  readonly place: number;
  readonly by: number;
  readonly text: string;
}

const anInsertion: fc.Arbitrary<Insertion> = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  by: fc.nat(),
  text: anyText,
});

/** Agent-authored events between the first event and the line at `end`, or anywhere after the first event. */
function interleaved(
  adapter: string,
  input: ReplayInput,
  insertions: readonly Insertion[],
  end: number,
): ReplayInput {
  const first = input.lines.findIndex(isEvent) + 1;
  const lines = [...input.lines];
  for (const { place, by, text } of insertions) {
    const words = Object.values(AGENT_LINES[adapter]?.(text) ?? {});
    const index = first + Math.floor(place * (end - first + 1));
    lines.splice(index, 0, line(words[by % words.length] ?? '', lines[index - 1]?.t ?? 0));
  }
  return { ...input, lines };
}

const insertions = fc.array(anInsertion, { minLength: 1, maxLength: 4 });

describe.each(ADAPTER_NAMES)('whatever an agent of %s says', async (adapter) => {
  const load = (outcome: string): Promise<readonly ReplayInput[]> =>
    Promise.all(casesOf(adapter, outcome).map((name) => fixtureInput(adapter, name)));
  const healthy = await load('done');
  const exhausted = (await load('exhausted')).filter((input) => firstTrouble(input) !== undefined);

  it('leaves a healthy run done, without a signal', () => {
    fc.assert(
      fc.property(fc.constantFrom(...healthy), insertions, (input, inserted) => {
        const verdict = verdictOf(interleaved(adapter, input, inserted, input.lines.length));
        expect(verdict).toMatchObject({ outcome: 'done', signal: null, cooldown: null, killed: false });
      }),
      { numRuns: RUNS.healthy },
    );
  });

  it('leaves an exhausted one exhausted at the same line, for the same reason, for as long', () => {
    expect(exhausted.length).toBeGreaterThan(4);
    const before = new Map(exhausted.map((input) => [input, verdictOf(input)]));
    fc.assert(
      fc.property(fc.constantFrom(...exhausted), insertions, (input, inserted) => {
        const { actedAt, ...rest } = before.get(input) ?? verdictOf(input);
        const verdict = verdictOf(interleaved(adapter, input, inserted, firstTrouble(input) ?? 0));
        expect(verdict).toEqual({
          ...rest,
          actedAt: actedAt && { line: actedAt.line + inserted.length, t: actedAt.t },
        });
      }),
      { numRuns: RUNS.exhausted },
    );
  });
});

/** Where the vendor's trouble begins. Between its retries an agent has nothing to say: an answer ends their series. */
function firstTrouble({ lines }: ReplayInput): number | undefined {
  const trouble =
    /"api_retry"|"rate_limit_event"|"error":"|"is_error":true|"turn\.failed"|"type":"error"|"status":"error"|^Attempt \d|^Error when talking/;
  const index = lines.findIndex(({ text }) => trouble.test(text));
  return index > lines.findIndex(isEvent) && lines.some(isEvent) ? index : undefined;
}
