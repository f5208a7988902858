import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage, playing } from '../rig/cli.ts';

/** As much of a CLI as a poll and a run need: `codex app-server` as `answers` says, and `codex exec`. */
function aCodex(stage: Stage, answers: 'windows' | 'an-error' | 'never'): object {
  const { command, env } = playing('codex', 'ok');
  const result = {
    rateLimits: {
      primary: { usedPercent: 37, windowDurationMins: 300, resetsAt: Math.round(Date.now() / 1_000) + 3_600 },
    },
  };
  const answer =
    answers === 'windows'
      ? { id: 2, result }
      : { id: 2, error: { message: 'failed to fetch codex rate limits: 401 Unauthorized' } };
  const program = join(stage.folder, 'codex.mjs');
  writeFileSync(
    program,
    `import { spawnSync } from 'node:child_process';
if (process.argv[2] === 'app-server') {
  ${answers === 'never' ? '' : `console.log(${JSON.stringify(JSON.stringify(answer))});`}
  setInterval(() => undefined, 1_000);
} else process.exit(spawnSync(process.execPath, [${JSON.stringify(command[1])}], { stdio: 'inherit' }).status);
`,
  );
  return { id: 'codex', adapter: 'codex', command: [process.execPath, program], env };
}

function saved({ stateHome }: Stage): Readonly<Record<string, readonly unknown[]>> {
  return JSON.parse(readFileSync(join(stateHome, 'quota.json'), 'utf8')) as Record<
    string,
    readonly unknown[]
  >;
}

function expectNothingElse({ stateHome }: Stage): void {
  expect(['cooldowns.json', 'health.json'].filter((name) => existsSync(join(stateHome, name)))).toEqual([]);
}

it('quota poll asks once, says what it learnt and keeps it', async () => {
  const stage = aStage();
  stage.configure({ workers: [aCodex(stage, 'windows'), playing('gemini', 'ok')] });
  const run = await stage.run(['quota', 'poll']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toBe('seat codex: 5h 37 %\nseat gemini: unknown, as gemini has no free way to say\n');
  expect(saved(stage)).toMatchObject({ readings: [{ seat: 'codex', window: '5h', usedPercent: 37 }] });
  expect(stage.alive()).toEqual([]);
});

it('a login that is refused when it is asked is unknown, and no refused login', async () => {
  const stage = aStage();
  stage.configure({ workers: [aCodex(stage, 'an-error')] });
  const run = await stage.run(['quota', 'poll', '--json']);
  expect(JSON.parse(run.stdout)).toMatchObject([{ seat: 'codex', result: 'unknown', windows: [] }]);
  expect(saved(stage)).toMatchObject({ readings: [], polls: [{ seat: 'codex', failures: 1 }] });
  expectNothingElse(stage);
});

it('a run polls beside its work where the configuration says so', async () => {
  const stage = aStage();
  const { env, ...codex } = aCodex(stage, 'windows') as { readonly env: Readonly<Record<string, string>> };
  // Long enough for a poll to be over.
  const slowly = { ...codex, env: { ...env, PLAY_LONGEST_GAP_MS: '3000' } };
  stage.configure({ workers: [slowly], quota: { poll: '15m' } });
  const run = await stage.run(['run', 'say hi']);
  expect(run.code).toBe(0);
  expect(saved(stage)['readings']).toContainEqual(
    expect.objectContaining({ window: '5h', usedPercent: 37, source: 'probe' }),
  );
  expectNothingElse(stage);
});

it('a poll that never ends holds no run up, and leaves nothing behind', async () => {
  const stage = aStage();
  stage.configure({ workers: [aCodex(stage, 'never')], quota: { poll: '15m' } });
  const begun = performance.now();
  const run = await stage.run(['run', 'say hi']);
  expect(run.code).toBe(0);
  // A look may take twenty seconds; nobody waits for it.
  expect(performance.now() - begun).toBeLessThan(15_000);
  expect(stage.alive()).toEqual([]);
  expectNothingElse(stage);
});

it('a provider that asks to be left alone is, and for as long as it said', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(429, { 'retry-after': '3600' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const stage = aStage();
  const balance = { provider: 'deepseek', keyEnv: 'KEY' };
  const env = { KEY: 'made-up', ANTHROPIC_BASE_URL: `http://127.0.0.1:${String(port)}` };
  stage.configure({ workers: [{ ...playing('claude', 'ok'), balance, env }] });

  const first = JSON.parse((await stage.run(['quota', 'poll', '--json'])).stdout) as readonly {
    until: string;
  }[];
  expect(first).toMatchObject([{ result: 'unknown', why: 'it answered HTTP 429' }]);
  const left = Date.parse(first[0]?.until ?? '') - Date.now();
  expect(left).toBeGreaterThan(3_000_000);
  expect(left).toBeLessThanOrEqual(3_600_000);

  const second = await stage.run(['quota', 'poll', '--json']);
  expect(JSON.parse(second.stdout)).toMatchObject([{ result: 'paused', why: 'it answered HTTP 429' }]);
  expect(asked).toBe(1);
  expectNothingElse(stage);
});
