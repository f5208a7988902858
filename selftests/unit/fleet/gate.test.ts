import { describe, expect, it } from 'vitest';
import { seatId, workerId } from '../../../src/core/ids.ts';
import { epochMs, HOUR } from '../../../src/core/time.ts';
import { gate, isSameModel, targetOf } from '../../../src/fleet/gate.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';

const until = (hours: number) => epochMs(NOW + hours * HOUR);
const seat = (name: string) => ({ type: 'seat' as const, seat: seatId(name) });
const model = (name: string, on = 'work') => ({ type: 'model' as const, seat: seatId(on), model: name });

describe('the gate', () => {
  it('is open when nothing is known', () => {
    expect(gate(aWorker(), [], NOW)).toEqual({ type: 'open' });
  });

  it.each([
    { says: 'a moment before its end', at: 5 * HOUR - 1, type: 'resting' },
    { says: 'at its end to the millisecond', at: 5 * HOUR, type: 'open' },
    { says: 'after its end', at: 6 * HOUR, type: 'open' },
  ])('is $type $says', ({ at, type }) => {
    const worker = aWorker({ seat: 'work' });
    expect(gate(worker, [aCooldown({ until: until(5) })], epochMs(NOW + at)).type).toBe(type);
  });

  it('stays closed for ever when only a person can open it', () => {
    const cooldown = aCooldown({ until: undefined });
    const answer = gate(aWorker({ seat: 'work' }), [cooldown], epochMs(NOW + 10_000 * HOUR));
    expect(answer).toEqual({ type: 'resting', cooldown, until: undefined });
  });

  it.each([
    { ends: [1, 3, 2], last: 1 },
    { ends: [3, 1], last: 0 },
    { ends: [1, undefined, 3], last: 1 },
    { ends: [undefined, 8], last: 0 },
  ])('names the one that ends last of $ends', ({ ends, last }) => {
    const cooldowns = ends.map((hours) =>
      aCooldown({ until: hours === undefined ? undefined : until(hours) }),
    );
    const answer = gate(aWorker({ seat: 'work' }), cooldowns, NOW);
    expect(answer).toMatchObject({ type: 'resting', cooldown: cooldowns[last] });
  });

  it('closes every worker on the seat, whoever met the limit, and no other seat', () => {
    const cooldown = aCooldown({ target: seat('work'), worker: workerId('a') });
    const closed = (id: string, on: string) =>
      gate(aWorker({ id, seat: on }), [cooldown], NOW).type === 'resting';
    expect(closed('a', 'work')).toBe(true);
    expect(closed('b', 'work')).toBe(true);
    expect(closed('a', 'home')).toBe(false);
    expect(closed('b', 'home')).toBe(false);
  });

  it('closes all seats of a workspace, and nobody who belongs to none', () => {
    const cooldown = aCooldown({ target: { type: 'workspace', workspace: 'acme' } });
    const answer = (workspace: string | undefined) => gate(aWorker({ workspace }), [cooldown], NOW).type;
    expect([answer('acme'), answer('other'), answer(undefined)]).toEqual(['resting', 'open', 'open']);
  });
});

describe("a model's cooldown", () => {
  it.each([
    { own: 'opus', asked: undefined, closed: true },
    { own: 'claude-opus-4-5', asked: undefined, closed: true },
    { own: 'sonnet', asked: undefined, closed: false },
    { own: 'opus', asked: 'sonnet', closed: false },
    { own: 'sonnet', asked: 'opus', closed: true },
  ])('closes by the model that is going to run: own $own, asked $asked', ({ own, asked, closed }) => {
    const worker = aWorker({ id: 'x', seat: 'work', model: own });
    const answer = gate(worker, [aCooldown({ target: model('opus') })], NOW, asked);
    expect(answer.type).toBe(closed ? 'resting' : 'open');
  });

  it('leaves the same model on another seat open', () => {
    const worker = aWorker({ seat: 'home', model: 'opus' });
    expect(gate(worker, [aCooldown({ target: model('opus', 'work') })], NOW).type).toBe('open');
  });

  it('closes a worker without a model only when it met the limit itself', () => {
    const cooldown = aCooldown({ target: model('opus'), worker: workerId('met-it') });
    const answer = (id: string) => gate(aWorker({ id, seat: 'work' }), [cooldown], NOW).type;
    expect([answer('met-it'), answer('another')]).toEqual(['resting', 'open']);
  });
});

describe('the same model by other names', () => {
  it.each([
    ['opus', 'opus'],
    ['opus', 'Opus'],
    ['opus', 'claude-opus-4-5'],
    ['opus', 'claude-opus-4-8[1m]'],
    ['opus', 'us.anthropic.claude-opus-4-5-20251101-v1:0'],
    ['opus', 'claude-opus-4-5@20251101'],
    ['claude-opus-4-5', 'opus'],
    ['claude-opus-4-5', 'claude-opus-4-5-20251101'],
    ['sonnet', 'sonnet[1m]'],
    ['sonnet', 'claude-sonnet-5'],
    ['fable', 'claude-fable-5'],
    ['gemini-2.5-pro', 'gemini-2.5-pro'],
    ['gemini-2.5-pro', 'pro'],
    ['gemini-2.5-flash', 'models/gemini-2.5-flash'],
    ['gpt-5.3-codex-spark', 'GPT-5.3-Codex-Spark'],
    ['gpt-5.3-codex', 'gpt-5.3-codex-latest'],
  ])('is seen in %s and %s', (limited, asked) => {
    expect(isSameModel(limited, asked)).toBe(true);
    expect(isSameModel(asked, limited)).toBe(true);
  });

  it.each([
    ['opus', 'claude-sonnet-4-5'],
    ['opus', 'sonnet'],
    ['opus', 'opusplan'],
    ['claude-opus-4-5', 'claude-opus-4-1'],
    ['gemini-2.5-flash', 'gemini-2.5-flash-lite'],
    ['gemini-2.5-flash-lite', 'flash'],
    ['gemini-2.5-pro', 'gemini-2.5-flash'],
    ['gemini-2.5-pro', 'gemini-3-pro'],
    ['gpt-5.3-codex-spark', 'gpt-5.3-codex'],
    ['gpt-5', 'gpt-5-mini'],
    ['gpt-5', 'gpt-5-codex'],
    ['o3', 'o3-mini'],
    ['claude', ''],
    ['', 'opus'],
    ['-', 'opus'],
  ])('is not seen in %j and %j', (limited, asked) => {
    expect(isSameModel(limited, asked)).toBe(false);
    expect(isSameModel(asked, limited)).toBe(false);
  });
});

describe('what a limit closes', () => {
  it.each([
    { scope: 'seat', workspace: 'acme', target: seat('work') },
    { scope: 'model:opus', workspace: 'acme', target: model('opus') },
    { scope: 'model:a:b', workspace: undefined, target: model('a:b') },
    { scope: 'workspace', workspace: 'acme', target: { type: 'workspace', workspace: 'acme' } },
    { scope: 'workspace', workspace: undefined, target: seat('work') },
  ])('is, for $scope met in the workspace $workspace, $target.type', ({ scope, workspace, target }) => {
    expect(targetOf(scope, aWorker({ seat: 'work', workspace }))).toEqual(target);
  });
});
