import { describe, expect, it } from 'vitest';
import type { RosterSources } from '../../../src/fleet/roster.ts';
import { roster } from '../../../src/fleet/roster.ts';
import type { WorkerConfig } from '../../../src/store/config.ts';

function aRoster(overrides: Partial<RosterSources> = {}) {
  return roster({
    ...{ configured: undefined, adapters: ['claude', 'codex', 'gemini'], asked: undefined },
    isInstalled: () => true,
    ...overrides,
  });
}

function ids(result: ReturnType<typeof roster>): readonly string[] {
  if (!result.ok) throw new Error(`there is no ${result.error.name}`);
  return result.value.map(({ id }) => id);
}

const work: WorkerConfig = { id: 'claude-work', adapter: 'claude', seat: 'work', model: 'opus' };
const home: WorkerConfig = { id: 'claude-home', adapter: 'claude' };

describe('the fleet', () => {
  it('is every CLI that is installed, in the order of the adapters, when nothing is configured', () => {
    expect(ids(aRoster({ isInstalled: (name) => name !== 'codex' }))).toEqual(['claude', 'gemini']);
  });

  it('is every CLI when none is installed, so that a person learns what to install', () => {
    expect(ids(aRoster({ isInstalled: () => false }))).toEqual(['claude', 'codex', 'gemini']);
  });

  it('is what is configured, installed or not, and nothing else', () => {
    expect(ids(aRoster({ configured: [home, work], isInstalled: () => false }))).toEqual([
      ...['claude-home', 'claude-work'],
    ]);
  });

  it('is who was asked for, in that order and each once', () => {
    const asked = ['codex', 'claude-work', 'codex'];
    expect(ids(aRoster({ configured: [home, work], asked }))).toEqual(['codex', 'claude-work']);
  });

  it('may be asked for a CLI that is not installed: the gate says so then', () => {
    expect(ids(aRoster({ asked: ['gemini'], isInstalled: () => false }))).toEqual(['gemini']);
  });

  it("takes the configured worker, where one has an adapter's name", () => {
    const own: WorkerConfig = { id: 'claude', adapter: 'codex', model: 'o3' };
    const fleet = aRoster({ configured: [own], asked: ['claude'] });
    expect(fleet).toMatchObject({ ok: true, value: [{ id: 'claude', adapter: 'codex', model: 'o3' }] });
  });

  it('says who there is when somebody is asked for who is not', () => {
    expect(aRoster({ configured: [work], asked: ['claude-work', 'cluade'] })).toEqual({
      ok: false,
      error: { name: 'cluade', known: ['claude-work', 'claude', 'codex', 'gemini'] },
    });
  });
});

describe('a worker of it', () => {
  it('has a seat of its own unless one is named', () => {
    expect(aRoster({ configured: [home, work] })).toMatchObject({
      value: [
        { id: 'claude-home', seat: 'claude-home', args: [], env: {}, model: undefined, billing: undefined },
        { id: 'claude-work', seat: 'work', model: 'opus' },
      ],
    });
  });

  it('has everything that its configuration says', () => {
    const whole = {
      ...work,
      ...{ workspace: 'acme', command: ['npx', 'claude'] as [string, ...string[]], args: ['--x'] },
      ...{ env: { A: '1' }, billing: 'subscription' as const },
      ...{ maxConcurrent: 2, shareTranscripts: false },
    };
    expect(aRoster({ configured: [whole] })).toEqual({ ok: true, value: [whole] });
  });

  it('shares no conversations when another worker on its seat says so', () => {
    const fleet = aRoster({
      configured: [
        { ...work, id: 'a', seat: 'one', shareTranscripts: false },
        { ...work, id: 'b', seat: 'one' },
        { ...work, id: 'c', seat: 'two' },
      ],
    });
    expect(fleet.ok && fleet.value.map(({ shareTranscripts }) => shareTranscripts)).toEqual([
      false,
      false,
      true,
    ]);
  });
});
