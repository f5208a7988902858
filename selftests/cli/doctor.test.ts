import { mkdirSync, writeFileSync, chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Finished, Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';
import { CLAUDE, codex, rests } from '../rig/fake-clis.ts';

interface DoctorJson {
  readonly workers: readonly (Readonly<Record<string, unknown>> & { readonly worker: string })[];
  readonly configuration: { readonly level: string; readonly findings: readonly { readonly text: string }[] };
  readonly state: DoctorJson['configuration'];
}

async function doctor(
  stage: Stage,
  ...flags: readonly string[]
): Promise<Finished & { readonly seen: DoctorJson }> {
  const finished = await stage.run(['doctor', '--json', ...flags]);
  return { ...finished, seen: JSON.parse(finished.stdout) as DoctorJson };
}

const soon = () => Math.floor(Date.now() / 1_000) + 3_600;

describe('the doctor', () => {
  it('says of every CLI how to install it when none is there, and exits with 69', async () => {
    const stage = aStage();
    const { code, stdout } = await stage.run(['doctor']);
    expect(code).toBe(69);
    for (const cli of ['@anthropic-ai/claude-code', '@openai/codex', '@google/gemini-cli'])
      expect(stdout).toContain(cli);
    expect(stdout).toContain('No worker can run.');
  });

  it('exits with 0 when all is well, and says where, which version and who', async () => {
    const stage = aStage();
    stage.fake('claude', CLAUDE);
    const { code, stdout } = await stage.run(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain('All is well.');
    expect(stdout).toContain('logged in: claude.ai, max');
    expect(stdout).not.toContain('dev@example.com');
    expect(stdout).not.toContain('\u001b');
  });

  it('says how to log in, and exits with 1, when one of two is logged out', async () => {
    const stage = aStage();
    stage.fake('claude', CLAUDE);
    stage.fake('codex', codex(undefined));
    const { code, seen } = await doctor(stage);
    expect(code).toBe(1);
    expect(seen.workers).toMatchObject([
      {
        worker: 'claude',
        level: 'green',
        canRun: true,
        version: '2.1.197',
        versionCaptured: true,
        login: { type: 'in' },
      },
      {
        ...{ worker: 'codex', level: 'red', canRun: false, login: { type: 'out', why: 'not logged in' } },
        findings: expect.arrayContaining([
          { level: 'red', text: 'not logged in', advice: 'log in: codex login' },
        ]) as unknown,
      },
    ]);
  });

  it('takes a rest that ends by itself for no failure, and shows it with its reason, age and end', async () => {
    const stage = aStage();
    stage.fake('claude', CLAUDE);
    await stage.run(['cooldown', 'add', 'claude', '--for', '2h', '--reason', 'five-hour limit']);
    const { code, seen } = await doctor(stage);
    expect(code).toBe(0);
    expect(seen.workers).toMatchObject([
      {
        level: 'yellow',
        canRun: true,
        cooldown: { kind: 'rate-limit', reason: 'five-hour limit', source: 'operator' },
      },
    ]);
  });

  it('shows where a broken configuration is broken, looks at the rest all the same, and exits with 78', async () => {
    const stage = aStage();
    stage.fake('claude', CLAUDE);
    stage.configure('{ "workers": [\n  { "id": "claude", "adapter": "claud" } ] }');
    const { code, seen } = await doctor(stage);
    expect(code).toBe(78);
    expect(seen.configuration.level).toBe('red');
    expect(seen.configuration.findings[0]?.text).toMatch(/config\.json:2: .*adapter/);
    expect(seen.workers.map(({ worker }) => worker)).toEqual(['claude']);
  });

  it('shows a state that was damaged and set aside', async () => {
    const stage = aStage();
    stage.fake('claude', CLAUDE);
    mkdirSync(stage.stateHome, { mode: 0o700 });
    writeFileSync(join(stage.stateHome, 'cooldowns.json'), '{"version":1,', { mode: 0o600 });
    const { code, seen, stderr } = await doctor(stage);
    expect(code).toBe(0);
    expect(seen.state.level).toBe('yellow');
    expect(seen.state.findings.map(({ text }) => text).join()).toContain('cooldowns.json.damaged-');
    expect(stderr).toContain('it was moved to');
  });

  it('exits with 1, and says at the end why, when nothing can be remembered', async () => {
    const stage = aStage();
    stage.fake('claude', CLAUDE);
    writeFileSync(stage.stateHome, '');
    const { code, stdout } = await stage.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ state$/m);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Nothing can be remembered: see the state above.');
  });

  it('shows a state that others may read', async () => {
    const stage = aStage();
    stage.fake('claude', CLAUDE);
    await stage.run(['cooldown', 'add', 'claude', '--for', '1h']);
    chmodSync(stage.stateHome, 0o755);
    chmodSync(join(stage.stateHome, 'cooldowns.json'), 0o644);
    const { seen } = await doctor(stage);
    const told = seen.state.findings.map(({ text }) => text).join('\n');
    expect(told).toContain('mode 0755');
    expect(told).toContain('cooldowns.json');
  });
});

describe('doctor --liveness', () => {
  it('ends a rest when room is back', async () => {
    const stage = aStage();
    stage.fake('codex', codex(12));
    rests(stage, 'codex');
    const { seen } = await doctor(stage, '--liveness');
    expect(seen.workers).toMatchObject([
      { cooldown: null, quota: { windows: [{ usedPercent: 12, isClosed: false }] } },
    ]);
    expect(stage.cooldowns()).toEqual([]);
  });

  it('makes a rest as long as the newer reset says when the window is still closed', async () => {
    const stage = aStage();
    const reset = soon();
    stage.fake('codex', codex(100, reset));
    rests(stage, 'codex');
    await doctor(stage, '--liveness');
    expect(stage.cooldowns()).toMatchObject([
      { source: 'probe', until: new Date(reset * 1_000).toISOString() },
    ]);
  });

  it('changes nothing when nothing is learnt, and plain doctor does not even ask', async () => {
    const stage = aStage();
    stage.fake('claude', CLAUDE);
    rests(stage, 'claude');
    const before = stage.cooldowns();
    expect((await doctor(stage)).seen.workers).toMatchObject([
      { quota: null, cooldown: { kind: 'rate-limit' } },
    ]);
    expect((await doctor(stage, '--liveness')).seen.workers).toMatchObject([
      { quota: { type: 'unknown' }, cooldown: { kind: 'rate-limit' } },
    ]);
    expect(stage.cooldowns()).toEqual(before);
  });

  it('rests a worker whose balance is empty before it costs a failed run, and wakes it when it is funded', async () => {
    const stage = aStage();
    let funded = false;
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`);
      const total_balance = funded ? '4.20' : '0.00';
      response.end(
        JSON.stringify({ is_available: funded, balance_infos: [{ currency: 'USD', total_balance }] }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    stage.fake('claude', CLAUDE);
    const env = {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${String(port)}/anthropic`,
      DEEPSEEK_API_KEY: 'made-up',
    };
    const balance = { provider: 'deepseek', keyEnv: 'DEEPSEEK_API_KEY' };
    stage.configure({ workers: [{ id: 'deepseek', adapter: 'claude', billing: 'api', env, balance }] });
    await doctor(stage, '--liveness');
    expect(asked).toEqual(['/user/balance Bearer made-up']);
    expect(stage.cooldowns()).toMatchObject([
      { worker: 'deepseek', kind: 'out-of-credits', source: 'probe' },
    ]);
    // Plain doctor shows what that look wrote.
    expect((await stage.run(['doctor'])).stdout).toContain('0.00 USD left');
    expect((await stage.run(['run', 'x'])).code).toBe(75);
    funded = true;
    // The same answer serves for seconds.
    writeFileSync(join(stage.stateHome, 'probes.json'), JSON.stringify({ version: 1, answers: [] }));
    await doctor(stage, '--liveness');
    expect(stage.cooldowns()).toEqual([]);
  });
});
