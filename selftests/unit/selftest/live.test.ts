import { describe, expect, it } from 'vitest';
import { environmentProblems, privateEnvironment } from '../../../src/selftest/live/environment.ts';
import { LIVE_CASES } from '../../../src/selftest/live/live.ts';
import { expectedWords } from '../../../src/selftest/live/live-case.ts';
import { slots } from '../../../src/selftest/live/slots.ts';
import { howItHangs } from '../../../src/selftest/live/version.ts';
import { LIVE_CLIS, WIRING } from '../../../src/selftest/live/wiring.ts';
import { ADAPTER_NAMES } from '../../../src/workers/registry.ts';

describe('the environment of a live test', () => {
  const place = { path: '/bin', home: '/h', tmp: '/t', zone: 'UTC', proxy: 'http://127.0.0.1:1' };

  it('is built from nothing', () => {
    expect(Object.keys(privateEnvironment(place)).sort()).toEqual([
      'HOME',
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'LANG',
      'NO_PROXY',
      'PATH',
      'TMPDIR',
      'TZ',
    ]);
  });

  it.each(LIVE_CLIS)('tells %s of no place but the upstream, and of no login but a made-up one', (cli) => {
    const { env, args, files } = WIRING[cli]('http://127.0.0.1:1/lane', '/h', {});
    const told = JSON.stringify([env, args, files]);
    expect(told.match(/https?:\/\/[^/"']+/g)).toEqual(['http://127.0.0.1:1']);
    for (const [name, value] of Object.entries(env)) {
      if (/KEY|TOKEN/.test(name)) expect(value).toBe('made-up');
    }
  });

  it('is looked at in the child: what nobody gave, and places elsewhere, are told', () => {
    const given = new Set(['HOME', 'URL']);
    expect(environmentProblems('HOME=/h\nURL=http://127.0.0.1:9/x\nPWD=/\n_=/usr/bin/env\n', given)).toEqual(
      [],
    );
    expect(
      environmentProblems('HOME=/h\nANTHROPIC_API_KEY=sk\nURL=https://api.example.com/v1', given),
    ).toEqual([
      'its environment had ANTHROPIC_API_KEY, which nobody gave it',
      'its environment told it of https://api.example.com/v1',
    ]);
    expect(environmentProblems('URL=http://127.0.0.1.example.com/', given)).toHaveLength(1);
  });
});

describe('the cases', () => {
  it('are there for every adapter', () => {
    expect(Object.keys(LIVE_CASES).sort()).toEqual([...ADAPTER_NAMES].sort());
  });

  it.each(LIVE_CLIS)('of %s have names of their own, begin with success and hold every refusal', (cli) => {
    const names = LIVE_CASES[cli].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names[0]).toBe('success');
    const all = [
      'weekly window',
      'throttle that recovers',
      'overload that recovers',
      'overload for ever',
      'bad login',
      'no balance',
      'refused connection',
      'cut stream',
      'trap text',
      'resume after a kill',
    ];
    expect(names).toEqual(expect.arrayContaining(all));
    for (const { expected } of LIVE_CASES[cli]) expect(expectedWords(expected)).not.toBe('');
  });
});

describe('slots', () => {
  it('let so many go on at once, and the next when one has ended or failed', async () => {
    const slot = slots(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const works = [0, 1, 2, 3].map((number) =>
      slot(async () => {
        begun.push(number);
        await new Promise<void>((resolve, reject) => {
          ends.push(
            number === 0
              ? () => {
                  reject(new Error('no'));
                }
              : resolve,
          );
        });
      }),
    );
    works[0]?.catch(() => undefined);
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    };
    await settle();
    expect(begun).toEqual([0, 1]);
    ends[0]?.();
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    ends[1]?.();
    await settle();
    expect(begun).toEqual([0, 1, 2, 3]);
  });
});

describe('a CLI that does not go on', () => {
  it.each([
    [[], 'it hangs and says nothing'],
    [['Loading…'], "it hangs (last: 'Loading…')"],
    [['Do you trust this folder?'], "it asks a question that nobody answers ('Do you trust this folder?')"],
    [['Update now [y/N]'], "it asks a question that nobody answers ('Update now [y/N]')"],
    [
      ['Enter the authorization code: '],
      "it asks a question that nobody answers ('Enter the authorization code: ')",
    ],
  ])('after %j: %s', (said, words) => {
    expect(howItHangs(said)).toBe(words);
  });
});
