import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../src/core/hook-events.ts';
import { aStage } from '../rig/cli.ts';

interface Shown {
  readonly settings: Readonly<Record<string, { readonly value: unknown; readonly from: string }>>;
  readonly fleet: { readonly from: string; readonly workers: readonly Record<string, unknown>[] };
}

describe('config path', () => {
  it('says which files are read and whether they are there, also when they are wrong', async () => {
    const stage = aStage();
    const before = await stage.run(['config', 'path']);
    expect(before).toMatchObject({ code: 0, stderr: '' });
    expect(before.stdout).toContain(`${join(stage.stateHome, 'config.json')} (not there`);
    stage.configure('{ "nonsense" ');
    writeFileSync(join(stage.project, 'secondwind.config.json'), '{');
    const { stdout } = await stage.run(['config', 'path', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      user: { path: join(stage.stateHome, 'config.json'), found: true },
      project: { path: join(stage.project, 'secondwind.config.json'), found: true },
    });
  });
});

describe('config show', () => {
  it('says of every setting what a run takes and who said so: flag, project, user, variable, default', async () => {
    const stage = aStage();
    stage.configure({
      ...{ workers: [{ id: 'work', adapter: 'claude' }], patience: '10s', hold: '5m', maxWait: '2h' },
      ...{ onQuota: 'wait', permissions: 'full' },
    });
    const projectFile = join(stage.project, 'secondwind.config.json');
    writeFileSync(projectFile, '{ "hold": "1m", "maxWait": "1h", "workers": ["codex", "work"] }');
    const { stdout } = await stage.run(['config', '--max-wait', '30m', '--json'], {
      env: { SECONDWIND_COOLDOWN_AUTH_MS: '1000', SECONDWIND_COOLDOWN: '0' },
    });
    const { settings, fleet } = JSON.parse(stdout) as Shown;
    const userFile = join(stage.stateHome, 'config.json');
    expect(settings).toMatchObject({
      home: { value: stage.stateHome, from: 'SECONDWIND_HOME' },
      maxWait: { value: 1_800_000, from: '--max-wait' },
      hold: { value: 60_000, from: projectFile },
      patience: { value: 10_000, from: userFile },
      onQuota: { value: 'wait', from: userFile },
      permissions: { value: 'full', from: userFile },
      cooldowns: { value: 'off', from: 'SECONDWIND_COOLDOWN' },
      'rest after auth-failure': { value: 1_000, from: 'SECONDWIND_COOLDOWN_AUTH_MS' },
      'rest after rate-limit': { value: 1_800_000, from: 'default' },
    });
    expect(fleet.from).toBe(projectFile);
    expect(fleet.workers.map(({ id }) => id)).toEqual(['codex', 'work']);
  });

  it('shows no secret of a worker, and what is none', async () => {
    const stage = aStage();
    const env = { MY_API_KEY: 'canary-one', PLAIN: 'sk-ant-canary-two-0123', CLAUDE_CONFIG_DIR: '~/.second' };
    stage.configure({
      workers: [
        { id: 'work', adapter: 'claude', env, args: ['--token=canary-three', '--api-key=canary-four'] },
      ],
      on: { 'session.ended': 'curl -H "Authorization: Bearer canary-five-55" example.org' },
    });
    for (const json of [[], ['--json']]) {
      const { code, stdout } = await stage.run(['config', 'show', ...json]);
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/canary-(?:one|two|four|five)/);
      expect(stdout).toContain('~/.second');
      expect(stdout).toContain('curl -H');
    }
  });

  it('shows rules as sentences, and a row for each hook and each length of time, not how files write them', async () => {
    const stage = aStage();
    const when = { seat: 'work', window: '5h', usedPercent: { gte: 90 }, freshWithin: '15m' };
    stage.configure({
      ...{ quota: { poll: '20m' }, retentionDays: 9, on: { signal: 'beep', 'session.ended': 'echo "done"' } },
      rules: [
        { when, then: 'prefer-others', note: 'for people' },
        { when: { ...when, window: '7d opus' }, then: 'avoid-new-sessions' },
      ],
    });
    const { stdout } = await stage.run(['config', 'show']);
    const rows = new Map(
      stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2) as [string, string]),
    );
    expect(Object.fromEntries(rows)).toMatchObject({
      'rule 1': 'prefer-others when 5h of seat work is at 90 % or more, seen 15m ago at most: for people',
      'rule 2': 'avoid-new-sessions when 7d opus of seat work is at 90 % or more, seen 15m ago at most',
      'quota poll': '20m',
      'on signal': 'beep',
      'on session.ended': 'echo "done"',
      retentionDays: '9',
    });
    expect(stdout).not.toMatch(/[{}[\]]/);
    const { settings } = JSON.parse((await stage.run(['config', 'show', '--json'])).stdout) as Shown;
    expect(settings['rules']).toMatchObject({ value: [{ when: { usedPercent: { gte: 90 } } }, {}] });
  });

  it('points at a slip in a key by its name and the one that was meant', async () => {
    const stage = aStage();
    stage.configure('{\n "patiance": "3s" }');
    const { code, stderr } = await stage.run(['config', 'show']);
    expect(code).toBe(78);
    expect(stderr).toContain("config.json:2: unknown key 'patiance' (did you mean 'patience'?)");
    stage.configure({ on: { 'sesion.ended': 'true' } });
    expect((await stage.run(['config'])).stderr).toContain(
      "on: unknown key 'sesion.ended' (did you mean 'session.ended'?)",
    );
    // Where nothing is near, what there is.
    stage.configure({ on: { finished: 'true' } });
    const all = Object.keys(HOOK_EVENTS).join(', ');
    expect((await stage.run(['config'])).stderr).toContain(`on: unknown key 'finished'; there are ${all}\n`);
  });
});

describe('config init', () => {
  it('writes with --yes what is installed, for its owner alone, and it is a configuration that works', async () => {
    const stage = aStage();
    stage.link('codex', 'answer.js');
    const { code, stdout } = await stage.run(['config', 'init', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('secondwind config show');
    const file = join(stage.stateHome, 'config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(stage.stateHome).mode & 0o777).toBe(0o700);
    expect(readFileSync(file, 'utf8')).toMatch(/^\s*\/\/ When every worker rests/m);
    const shown = JSON.parse((await stage.run(['config', '--json'])).stdout) as Shown;
    expect(shown.fleet).toEqual({ from: file, workers: [{ id: 'codex', adapter: 'codex', seat: 'codex' }] });
    const schema = readFileSync(join(stage.stateHome, 'config.schema.json'), 'utf8');
    expect(schema).toBe((await stage.run(['config', 'schema'])).stdout);
  });

  it('leaves a file that is there as it is, unless it is told to write over it', async () => {
    const stage = aStage();
    stage.configure('{ /* mine */ }');
    const file = join(stage.stateHome, 'config.json');
    const kept = await stage.run(['config', 'init', '--yes']);
    expect(kept.code).toBe(2);
    expect(kept.stderr).toContain('--force');
    expect(readFileSync(file, 'utf8')).toBe('{ /* mine */ }');
    expect((await stage.run(['config', 'init', '--yes', '--force'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('config.schema.json');
  });

  it('asks nobody where nobody can answer', async () => {
    const stage = aStage();
    const { code, stderr } = await stage.run(['config', 'init'], { stdin: 'claude\n' });
    expect(code).toBe(2);
    expect(stderr).toContain('--yes');
  });
});
