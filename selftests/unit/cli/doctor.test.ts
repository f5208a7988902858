import { describe, expect, it } from 'vitest';
import type { Examination } from '../../../src/cli/doctor/examine.ts';
import { examinationJson } from '../../../src/cli/doctor/json.ts';
import { clockFindings, nodeFindings, stateFindings } from '../../../src/cli/doctor/place-report.ts';
import { renderExamination } from '../../../src/cli/doctor/render.ts';
import type { WorkerFacts } from '../../../src/cli/doctor/worker-report.ts';
import { style } from '../../../src/cli/style.ts';
import { epochMs, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import type { StateSurvey } from '../../../src/system/state-survey.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';
import { report, starts } from '../../rig/facts.ts';

describe('a worker is', () => {
  it.each<[string, 'green' | 'yellow' | 'red', Partial<WorkerFacts>]>([
    ['as it should be', 'green', {}],
    ['not installed', 'red', { program: { missing: 'claude is not installed' }, check: undefined }],
    ['broken', 'red', { check: { starts: false, why: 'its --version ended with 127' } }],
    [
      'logged out',
      'red',
      { check: { starts: true, version: '2.1.197', login: { type: 'out', why: 'not logged in' } } },
    ],
    [
      'logged in somewhere that is not looked at',
      'yellow',
      { check: { starts: true, version: '2.1.197', login: { type: 'unknown', why: 'a keychain' } } },
    ],
    ['newer than every capture', 'yellow', { check: starts('2.1.332') }],
    ['older than every capture', 'green', { check: starts('2.1.100') }],
    ['resting until a reset', 'yellow', { cooldown: aCooldown() }],
    ['resting until cleared', 'red', { cooldown: aCooldown({ kind: 'out-of-credits', until: undefined }) }],
    ['resting for a login', 'red', { cooldown: aCooldown({ kind: 'auth-failure' }) }],
    [
      'unhealthy',
      'yellow',
      { health: { cause: 'timeout', failures: 2, at: NOW, until: epochMs(NOW + SECOND), triedAt: NOW } },
    ],
    [
      'in a window that is closed',
      'yellow',
      {
        quota: {
          type: 'seen',
          credits: undefined,
          windows: [
            { name: 'weekly limit', scope: 'seat', usedPercent: 100, resetAt: undefined, isClosed: true },
          ],
        },
      },
    ],
    [
      'without money',
      'yellow',
      { quota: { type: 'seen', windows: [], credits: { isEmpty: true, words: '0.00 USD left' } } },
    ],
    ['not saying how much is left', 'green', { quota: { type: 'unknown', why: 'it has no way' } }],
  ])('%s: %s', (_what, level, overrides) => {
    const { level: seen, canRun, findings } = report(overrides);
    expect({ seen, canRun }).toEqual({ seen: level, canRun: level !== 'red' });
    for (const one of findings) if (one.level === 'red') expect(one.advice).toBeTruthy();
  });

  it.each<[string, Partial<WorkerFacts>]>([
    ['logged out', { check: { ...starts('2.1.197'), login: { type: 'out', why: 'not logged in' } } }],
    ['not known to be logged in', { check: { ...starts('2.1.197'), login: { type: 'unknown', why: '?' } } }],
    ['refused', { cooldown: aCooldown({ kind: 'auth-failure' }) }],
  ])('told to log in where its own login lies: %s', (_what, overrides) => {
    const env = { CLAUDE_CONFIG_DIR: '~/.claude two' };
    const { findings } = report({ worker: aWorker({ id: 'claude-2', env }), ...overrides });
    const told = findings.map(({ advice }) => advice).join('\n');
    expect(told).toContain("CLAUDE_CONFIG_DIR=~/'.claude two' claude auth login");
  });

  it('tried, and then logged in, when its login is not known', () => {
    const why = 'its check of the login said nothing that we know';
    const { findings } = report({
      check: { starts: true, version: '2.1.197', login: { type: 'unknown', why } },
    });
    const advice =
      "see whether it works: secondwind run -w claude 'say hello'; if not, log in: claude auth login";
    expect(findings).toContainEqual({ level: 'yellow', text: `its login is not known: ${why}`, advice });
  });
});

describe('the state', () => {
  const survey = (overrides: Partial<StateSurvey> = {}): StateSurvey => ({
    ...{ path: '/home/dev/.secondwind', problem: undefined, isMissing: false, mode: 0o700, isOurs: true },
    unwritable: undefined,
    ...{ freeBytes: 80 * 2 ** 30, open: [], damaged: [], leftovers: [], locks: [] },
    ...overrides,
  });
  const lock = { file: 'cooldowns.json', holder: 'pid 7 (secondwind run)', isAlive: true };

  it.each<[string, string, Partial<StateSurvey>]>([
    ['green', 'for you alone, 80.0 GB free', {}],
    ['green', 'not there yet', { isMissing: true }],
    [
      'red',
      'nothing can be remembered: /home/dev/.secondwind: permission denied',
      { problem: 'permission denied' },
    ],
    [
      'red',
      'nothing can be remembered: /home/dev/.secondwind cannot be written to, why',
      { unwritable: 'why' },
    ],
    [
      'red',
      'nothing can be remembered: /home/dev/.secondwind cannot be made, why',
      { isMissing: true, unwritable: 'why' },
    ],
    ['red', 'belongs to another user', { isOurs: false }],
    ['yellow', 'mode 0755', { mode: 0o755 }],
    ['yellow', 'others may read: health.json', { open: ['health.json'] }],
    ['yellow', 'only 3 MB are free', { freeBytes: 3 * 2 ** 20 }],
    ['yellow', 'set aside: x.damaged-1', { damaged: ['x.damaged-1'] }],
    ['green', 'left by killed processes', { leftovers: ['x.next.y'] }],
    ['green', 'is locked by pid 7 (secondwind run), for 1s', { locks: [{ ...lock, since: NOW - 1_000 }] }],
    [
      'yellow',
      'is locked by pid 7 (secondwind run), for 5m',
      { locks: [{ ...lock, since: NOW - 5 * MINUTE }] },
    ],
    ['green', 'which is gone', { locks: [{ ...lock, isAlive: false, since: undefined }] }],
  ])('is %s and said so: %s', (level, words, overrides) => {
    const findings = stateFindings(survey(overrides), NOW);
    expect(findings).toContainEqual(
      expect.objectContaining({ level, text: expect.stringContaining(words) as unknown }),
    );
    if (level === 'green') expect(findings.every((one) => one.level === 'green')).toBe(true);
  });

  it('does not ask for room where nothing can be written', () => {
    const unwritable = 'the file system is read-only';
    expect(stateFindings(survey({ unwritable, freeBytes: 0 }), NOW)).toMatchObject([
      { level: 'red', advice: expect.stringContaining('SECONDWIND_HOME') as unknown },
    ]);
  });
});

it('notices a clock that was ahead of this one', () => {
  const ahead = aCooldown({ since: epochMs(NOW + HOUR) });
  expect(clockFindings(NOW, 'Europe/Berlin', [aCooldown(), ahead])).toMatchObject([{ level: 'yellow' }]);
  expect(clockFindings(NOW, 'Europe/Berlin', [aCooldown()])).toMatchObject([
    { level: 'green', text: '21:00 in Europe/Berlin (2026-11-29T20:00:00.000Z)' },
  ]);
});

it.each([
  ['v20.18.3', 'red'],
  ['v18.20.0', 'red'],
  ['v20.19.0', 'green'],
  ['v24.1.0', 'green'],
])('takes Node %s for %s', (version, level) => {
  expect(nodeFindings(version, '/usr/bin/node')).toMatchObject([{ level }]);
});

describe('the examination', () => {
  const seen: Examination = {
    ...{ at: NOW, configurationIsWrong: false },
    workers: [
      report({}),
      report({ worker: aWorker({ id: 'claude-work-with-a-long-name' }), cooldown: aCooldown() }),
      report({
        program: { missing: '/a/path/that/is/longer/than/any/terminal/is/wide/claude is not installed' },
        check: undefined,
      }),
    ],
    ...{ configuration: [], clock: [], node: nodeFindings('v20.19.0', '/usr/bin/node') },
    state: [{ level: 'yellow', text: 'mode 0755', advice: 'chmod 700 it' }],
  };

  it.each([40, 80, 110])('fits %d columns, but for paths that are longer', (columns) => {
    const lines = renderExamination(seen, columns, style(0)).split('\n');
    const tooWide = lines.filter((line) => line.length > columns);
    expect(tooWide.filter((line) => line.replace(/[→!✗]/, '').trim().includes(' '))).toEqual([]);
  });

  it('marks each thing that is not well, for whoever sees no colours', () => {
    const marked = renderExamination(seen, 200, style(0)).match(/^ {2}[!✗] .*/gm) ?? [];
    expect(marked).toEqual([
      expect.stringMatching(/^ {2}! rests: /),
      expect.stringMatching(/^ {2}✗ .* is not installed$/),
      '  ! mode 0755',
    ]);
  });

  it('says the same with colour as without', () => {
    const colours = /\u001b\[\d+m/g;
    const coloured = renderExamination(seen, 80, style(1));
    expect(coloured).toMatch(colours);
    expect(coloured.replace(colours, '')).toBe(renderExamination(seen, 80, style(0)));
  });

  it('ends in what it all comes to', () => {
    const last = (one: Partial<Examination>) =>
      renderExamination({ ...seen, state: [], ...one }, 200, style(0))
        .trimEnd()
        .split('\n')
        .at(-1);
    const [good, resting, bad] = seen.workers;
    expect(last({})).toBe('2 of 3 workers can run.');
    expect(last({ workers: [good, resting].flatMap((one) => one ?? []) })).toBe(
      'All workers can run; 1 of 2 rests for now.',
    );
    expect(last({ workers: [good].flatMap((one) => one ?? []) })).toBe('All is well.');
    expect(last({ workers: [bad].flatMap((one) => one ?? []) })).toBe('No worker can run.');
    expect(last({ configurationIsWrong: true })).toContain('The configuration is wrong');
  });

  it('ends in what is not well, whatever it is', () => {
    const [good, resting, bad] = seen.workers;
    const verdict = (one: Partial<Examination>, ...workers: (typeof good)[]) =>
      renderExamination(
        { ...seen, state: [], workers: workers.flatMap((each) => each ?? []), ...one },
        200,
        style(0),
      ).split('\n\n')[1];
    const [red, yellow] = (['red', 'yellow'] as const).map((level) => ({ level, text: 'x', advice: 'y' }));
    if (red === undefined || yellow === undefined) throw new Error('two were made');
    const newer = report({ check: starts('2.1.332') });
    const forgets = 'Nothing can be remembered: see the state above.';
    expect(verdict({ state: [red] }, good)).toBe(`${forgets}\n`);
    expect(verdict({ state: [red, yellow] }, good, bad)).toBe(
      `1 of 2 workers can run. ${forgets} 1 thing to look at.\n`,
    );
    expect(verdict({ state: [red], configurationIsWrong: true }, good)).toContain(`corrected. ${forgets}`);
    expect(verdict({ state: [yellow], clock: [yellow] }, newer)).toBe('3 things to look at.\n');
    expect(verdict({ configuration: [yellow] }, resting)).toBe(
      'All workers can run; 1 of 1 rests for now. 1 thing to look at.\n',
    );
    expect(verdict({ node: nodeFindings('v18.20.0', '/usr/bin/node') }, good)).toBe('1 thing to look at.\n');
  });

  it('has the same keys for every worker as JSON, with null for what is not known', () => {
    const { workers } = examinationJson(seen) as { workers: readonly object[] };
    const keys = workers.map((one) => Object.keys(one).sort());
    expect(new Set(keys.map(String)).size).toBe(1);
    expect(keys[0]).toEqual([
      ...['adapter', 'canRun', 'cooldown', 'findings', 'health', 'level', 'login', 'model', 'path', 'quota'],
      ...['seat', 'version', 'versionCaptured', 'worker'],
    ]);
    expect(JSON.stringify(workers)).not.toContain('undefined');
  });
});
