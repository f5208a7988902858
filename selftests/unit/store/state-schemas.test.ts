import { describe, expect, it } from 'vitest';
import { checkCooldowns } from '../../../src/store/cooldown-schema.ts';
import { checkHealth } from '../../../src/store/health-schema.ts';
import { checkProbes } from '../../../src/store/probes-schema.ts';
import { checkQuota } from '../../../src/store/quota-schema.ts';
import { checkSessionFile } from '../../../src/store/session-schema.ts';
import { toSavedSession } from '../../../src/store/session-json.ts';
import type { StateCheck } from '../../../src/store/state-text.ts';
import { interpret } from '../../../src/store/state-text.ts';
import { aSession } from '../../rig/builders.ts';

const AT = '2026-11-29T20:00:00.000Z';
const seat = { type: 'seat', seat: 'a' };
const cooldown = {
  ...{ target: seat, worker: 'w', kind: 'rate-limit', since: AT, until: null, source: 'event' },
  ...{ reason: '', evidence: '', credentials: 'c' },
};
const clearance = { target: null, kind: null, at: AT, by: 'operator' };
const reading = {
  ...{ seat: 'a', window: '5h', usedPercent: 1, resetAt: null, observedAt: AT, source: 'event' },
};
const poll = { seat: 'a', at: AT, failures: 0, notBefore: null, why: null };
const trouble = { steps: 1, at: AT };

/** A sound state of each kind, with every list and every object that it may have. */
const STATES: Readonly<Record<string, readonly [check: StateCheck<object>, sound: object]>> = {
  cooldowns: [checkCooldowns, { cooldowns: [cooldown], clearances: [clearance] }],
  health: [
    checkHealth,
    {
      workers: [
        {
          worker: 'a',
          troubles: { timeout: trouble, 'server-error': { ...trouble, steps: 2 } },
          triedAt: AT,
        },
      ],
    },
  ],
  quota: [checkQuota, { readings: [reading], polls: [poll] }],
  probes: [checkProbes, { answers: [{ key: 'k', at: AT, answer: null }] }],
  session: [checkSessionFile, { session: toSavedSession(aSession(), undefined) }],
};

/** As it comes from a file. */
function asRead(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object;
}

function objectsIn(value: unknown, path = ''): readonly (readonly [path: string, object: object])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) => objectsIn(member, `${path}/${key}`));
  return Array.isArray(value) ? inner : [[path, value], ...inner];
}

/** Each object of a sound state, in a state of its own. */
const OBJECTS = Object.entries(STATES).flatMap(([name, [check, sound]]) =>
  objectsIn(asRead(sound)).map(([path], index) => ({ name, path, check, index, state: () => asRead(sound) })),
);

describe('an object of a state', () => {
  it.each(OBJECTS)('keeps what a newer secondwind adds, whatever its name: $name$path', (one) => {
    const state = one.state();
    const object = objectsIn(state)[one.index]?.[1] ?? {};
    for (const key of ['added', 'constructor', 'prototype', 'toString', 'length'])
      Object.assign(object, { [key]: { some: ['thing'] } });
    expect(one.check(state)).toEqual({ ok: true, value: state });
  });

  it.each(OBJECTS)('takes nothing that is named like its prototype: $name$path', (one) => {
    const state = one.state();
    const object = objectsIn(state)[one.index]?.[1] ?? {};
    Object.defineProperty(object, '__proto__', { value: { owner: 'x' }, enumerable: true });
    expect(one.check(state)).toEqual({ ok: true, value: one.state() });
  });

  it.each(OBJECTS.filter(({ path }) => path !== ''))('is no list: $name$path', (one) => {
    const text = JSON.stringify(one.state());
    const object = JSON.stringify(objectsIn(one.state())[one.index]?.[1]);
    const checked = one.check(JSON.parse(text.replace(object, '[]')));
    expect(checked).toMatchObject({ ok: false, error: { message: 'expected an object, but found a list' } });
    expect(checked).toMatchObject({ error: { path: one.path.slice(1).split('/') } });
  });
});

describe('what is wrong with a state is said in our words', () => {
  const record = { ...cooldown, target: { type: 'seat' } };
  it.each([
    [
      checkCooldowns,
      { cooldowns: {}, clearances: [] },
      "its 'cooldowns' is wrong (expected a list, but found an object)",
    ],
    [checkCooldowns, { cooldowns: [] }, "its 'clearances' is wrong (expected a list, but it is missing)"],
    [
      checkCooldowns,
      { cooldowns: [cooldown, record], clearances: [] },
      "its 'cooldowns.1.target.seat' is wrong (expected a text, but it is missing)",
    ],
    [
      checkCooldowns,
      { cooldowns: [{ ...cooldown, target: { type: 'saet' } }], clearances: [] },
      "its 'cooldowns.0.target.type' is wrong (expected seat, model or workspace, but found 'saet' (did you mean 'seat'?))",
    ],
    [
      checkCooldowns,
      { cooldowns: [{ ...cooldown, since: '2026-13-01T00:00:00Z' }], clearances: [] },
      "its 'cooldowns.0.since' is wrong (expected an ISO 8601 instant)",
    ],
    [
      checkCooldowns,
      { cooldowns: [{ ...cooldown, credentials: null }], clearances: [] },
      "its 'cooldowns.0.credentials' is wrong (expected a text, but found null)",
    ],
    [
      checkQuota,
      { readings: [], polls: [{ ...poll, failures: 0.5 }] },
      "its 'polls.0.failures' is wrong (expected a whole number, but found 0.5)",
    ],
    [
      checkQuota,
      { readings: [], polls: [{ ...poll, failures: -1 }] },
      "its 'polls.0.failures' is wrong (expected no negative number, but found -1)",
    ],
    [
      checkHealth,
      { workers: [{ worker: 'a', troubles: { timeout: { ...trouble, steps: 0 } }, triedAt: AT }] },
      "its 'workers.0.troubles.timeout.steps' is wrong (expected a number of at least 1, but found 0)",
    ],
    [
      checkProbes,
      { answers: [{ key: 'k', at: AT }] },
      "its 'answers.0.answer' is wrong (expected an answer, but it is missing)",
    ],
    [
      checkSessionFile,
      { session: { ...toSavedSession(aSession(), undefined), id: '../x' } },
      "its 'session.id' is wrong (expected the id of a session)",
    ],
  ] as const)('%#', async (check, state, why) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ version: 1, ...state }));
    const format = { version: 1, check: () => Promise.resolve(check as StateCheck<object>) };
    expect(await interpret({ type: 'bytes', bytes, stamp: undefined }, format)).toEqual({
      type: 'damaged',
      why,
    });
  });

  it('also of a number that JSON has and no count can be', async () => {
    const bytes = new TextEncoder().encode(
      JSON.stringify({ version: 1, readings: [reading], polls: [] }).replace(
        '"usedPercent":1',
        '"usedPercent":1e999',
      ),
    );
    const format = { version: 1, check: () => Promise.resolve(checkQuota as StateCheck<object>) };
    expect(await interpret({ type: 'bytes', bytes, stamp: undefined }, format)).toEqual({
      type: 'damaged',
      why: "its 'readings.0.usedPercent' is wrong (expected a number, but found Infinity)",
    });
  });
});
