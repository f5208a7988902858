import { describe, expect, it } from 'vitest';
import { childEnvironment, expandHome } from '../../../src/workers/child-environment.ts';
import { claude } from '../../../src/workers/adapters/claude.ts';
import { anAssignment, aWorker } from '../../rig/builders.ts';

const HOME = '/home/dev';

describe('the environment of a child', () => {
  it('is ours, then what the CLI needs, then what the worker says', () => {
    const ours = { A: 'ours', B: 'ours', C: 'ours' };
    expect(childEnvironment(ours, { B: 'cli', C: 'cli' }, { C: 'worker', D: 'worker' }, HOME)).toEqual({
      ...{ A: 'ours', B: 'cli', C: 'worker', D: 'worker' },
    });
  });

  it('lacks what the CLI must not see, and does not hold it as an empty text', () => {
    const env = childEnvironment({ KEY: 'secret', PATH: '/bin' }, { KEY: undefined }, {}, HOME);
    expect(Object.keys(env)).toEqual(['PATH']);
  });

  it('lacks what is not set here', () => {
    expect(childEnvironment({ UNSET: undefined }, {}, {}, HOME)).toEqual({});
  });

  it('keeps an empty value, which is not the same as none', () => {
    expect(childEnvironment({}, {}, { EMPTY: '' }, HOME)).toEqual({ EMPTY: '' });
  });

  it('leaves our own variables as they are, tilde or not', () => {
    expect(childEnvironment({ DIR: '~/x' }, {}, {}, HOME)).toEqual({ DIR: '~/x' });
  });

  it('has no API key when a subscription pays, though one is set here', () => {
    const worker = aWorker({ billing: 'subscription', env: { CLAUDE_CONFIG_DIR: '~/.claude-work' } });
    const ours = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't', PATH: '/bin' };
    const { env } = claude.command(anAssignment(), worker);
    expect(childEnvironment(ours, env, worker.env, HOME)).toEqual({
      ...{ PATH: '/bin', CLAUDE_CONFIG_DIR: '/home/dev/.claude-work' },
    });
  });

  it('has the key that the worker itself names, as an operator who writes it there means it', () => {
    const worker = aWorker({ billing: 'subscription', env: { ANTHROPIC_API_KEY: 'own' } });
    const { env } = claude.command(anAssignment(), worker);
    expect(childEnvironment({ ANTHROPIC_API_KEY: 'ours' }, env, worker.env, HOME)).toEqual({
      ANTHROPIC_API_KEY: 'own',
    });
  });
});

it.each([
  ['~', '/home/dev'],
  ['~/', '/home/dev/'],
  ['~/.claude-work', '/home/dev/.claude-work'],
  ['~other/x', '~other/x'],
  ['/a/~/b', '/a/~/b'],
  ['a~', 'a~'],
  ['', ''],
])('reads %j as %j, as a shell would', (path, expected) => {
  expect(expandHome(path, HOME)).toBe(expected);
});
