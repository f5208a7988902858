import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLEARED_BY } from '../../../src/core/cooldown.ts';
import { COOLDOWN_KINDS, SOURCES } from '../../../src/core/signal.ts';
import { checkCooldowns } from '../../../src/store/cooldown-schema.ts';
import { isSavedCooldowns } from '../../../src/store/cooldown-shape.ts';

const instant = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const target = fc.oneof(
  fc.record({ type: fc.constant('seat'), seat: fc.string() }),
  fc.record({ type: fc.constant('model'), seat: fc.string(), model: fc.string() }),
  fc.record({ type: fc.constant('workspace'), workspace: fc.string() }),
);
const cooldown = fc.record(
  {
    target,
    worker: fc.string(),
    kind: fc.constantFrom(...COOLDOWN_KINDS),
    since: instant,
    until: fc.option(instant),
    source: fc.constantFrom(...SOURCES),
    reason: fc.string(),
    evidence: fc.string(),
    credentials: fc.string(),
  },
  {
    requiredKeys: ['target', 'worker', 'kind', 'since', 'until', 'source', 'reason', 'evidence'],
  },
);
const clearance = fc.record({
  target: fc.option(target),
  kind: fc.option(fc.constantFrom(...COOLDOWN_KINDS)),
  at: instant,
  by: fc.constantFrom(...CLEARED_BY),
});
const sound = fc.record({
  cooldowns: fc.array(cooldown, { minLength: 1, maxLength: 3 }),
  clearances: fc.array(clearance, { minLength: 1, maxLength: 3 }),
});

/** What may stand in place of anything, among them the words that are right elsewhere. */
const anything = fc.oneof(
  fc.jsonValue(),
  instant,
  target,
  cooldown,
  clearance,
  fc.constantFrom(...COOLDOWN_KINDS, ...SOURCES, ...CLEARED_BY, 'seat', 'model', 'workspace', null),
  fc.constantFrom('2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-11-29', '2026-11-29T20:00Z', ''),
);

/** As it comes from a file. */
function asRead(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Every object and list in a value, outermost first. */
function containersIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersIn)];
}

/** A sound state in which members have been replaced, removed or added. */
const hostile = fc
  .tuple(
    sound,
    fc.array(
      fc.record({
        at: fc.nat(),
        member: fc.nat(),
        how: fc.constantFrom('replace', 'remove', 'add'),
        key: fc.oneof(fc.string(), fc.constantFrom('seat', 'model', 'workspace', '__proto__', 'constructor')),
        by: anything,
      }),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([original, changes]) => {
    const state = asRead(original);
    for (const { at, member, how, key, by } of changes) {
      const containers = containersIn(state);
      const container = containers[at % containers.length];
      if (container === undefined) continue;
      const keys = Object.keys(container);
      const chosen = how === 'add' ? key : (keys[member % keys.length] ?? key);
      // Of a list that is its own affair, and no JSON could say it.
      if (Array.isArray(container) && chosen === 'length') continue;
      if (how === 'remove') Reflect.deleteProperty(container, chosen);
      else
        Object.defineProperty(container, chosen, {
          value: asRead(by),
          configurable: true,
          enumerable: true,
          writable: true,
        });
    }
    return asRead(state);
  });

describe('the quick look at saved cooldowns', () => {
  it('knows every sound state, so that none costs the loading of a schema', () => {
    fc.assert(
      fc.property(sound, (state) => {
        expect(isSavedCooldowns(state)).toBe(true);
      }),
    );
  });

  it('knows, of whatever was made of a sound state, exactly what the schema passes as it stands', () => {
    const verdicts = { sound: 0, damaged: 0 };
    fc.assert(
      fc.property(hostile, (state) => {
        const checked = checkCooldowns(state);
        // The schema drops a key named `__proto__`, so such a state does not pass as it stands.
        const passes = checked.ok && isDeepStrictEqual(checked.value, state);
        expect(isSavedCooldowns(state)).toBe(passes);
        verdicts[passes ? 'sound' : 'damaged'] += 1;
      }),
      { numRuns: 3_000 },
    );
    // The property would say nothing if all were of one kind.
    expect(Math.min(verdicts.sound, verdicts.damaged)).toBeGreaterThan(100);
  });

  it('judges any JSON at all as the schema does', () => {
    fc.assert(
      fc.property(anything, (state) => {
        expect(isSavedCooldowns(state)).toBe(checkCooldowns(state).ok);
      }),
      { numRuns: 1_000 },
    );
  });
});
