import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually, writeScript } from '../rig/children.ts';
import type { Finished, Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

/** What a CLI does that has nothing to do with its provider; the real ones are driven in selftests/live. */

const LIVE = ['selftest', '--live', '--timeout', '4s'];
const SAYS_VERSION = 'case "$*" in *--version*) echo "9.9.9 (Claude Code)"; exit 0;; esac';
const ANSWERS = `echo '{"type":"result","subtype":"success","is_error":false,"result":"hi"}'`;

/** A claude of two lines; the PATH that it is given stays as it is. */
function fakeClaude(stage: Stage, script: string): void {
  writeScript(join(stage.bin, 'claude'), `${SAYS_VERSION}\n${script}`);
}

interface LiveJson {
  readonly ok: boolean;
  readonly clis: readonly {
    readonly gaveUp: string | null;
    readonly misdeeds: readonly string[];
    readonly coverage: object;
    readonly cases: readonly { readonly problems: readonly string[]; readonly lines?: readonly object[] }[];
  }[];
}

async function tested(stage: Stage): Promise<{ finished: Finished; report: LiveJson }> {
  const finished = await stage.run([...LIVE, '--json']);
  return { finished, report: JSON.parse(finished.stdout) as LiveJson };
}

describe('nothing to test', () => {
  it('is told with how to install each, and ends with 69', async () => {
    const { code, stdout, stderr } = await aStage().run(['selftest', '--live']);
    expect({ code, stdout }).toEqual({ code: 69, stdout: '' });
    expect(stderr).toMatch(/^secondwind: no CLI is installed, so there is nothing to test\. \S.*\n$/);
    expect(stderr).not.toMatch(/ {2}/);
    for (const title of ['Claude Code', 'Codex CLI', 'Gemini CLI'])
      expect(stderr).toContain(`${title} is installed with: `);
  });

  it('of a CLI that is named is told of that one', async () => {
    const stage = aStage();
    fakeClaude(stage, ANSWERS);
    const { code, stderr } = await stage.run(['selftest', '--live', 'codex']);
    expect(code).toBe(69);
    expect(stderr).toMatch(/^secondwind: codex is not installed, .* Codex CLI is installed with: .*\n$/);
    expect(stderr).not.toContain('Claude Code');
  });

  it('by a name that is none is a slip', async () => {
    const { code, stderr } = await aStage().run(['selftest', '--live', 'claud']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "secondwind: expected after --live one of claude, codex, gemini, but found 'claud'.\n",
    );
  });

  it('and recorded runs at once is a contradiction', async () => {
    const { code, stderr } = await aStage().run(['selftest', '--live', '--fixtures', '.']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^secondwind: option '--live' cannot be used with option '--fixtures <dir>'/);
  });
});

describe('a CLI that', () => {
  it('ignores the upstream is told so after one case', async () => {
    const stage = aStage();
    fakeClaude(stage, ANSWERS);
    const { code, stdout } = await stage.run(LIVE);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^claude 9\.9\.9 \(Claude Code\) .*\n {2}newer than every recorded run that secondwind was built on \(\d+\.\d+\.\d+\)\n/,
    );
    expect(stdout).toMatch(/✗ it ignores the upstream: .*; 14 of its 15 cases were not tried/);
    expect(stdout).toMatch(/\n0 passed, 1 failed, claude could not be tested, in /);
    expect(stage.alive()).toEqual([]);
  });

  it.each([
    [
      'hangs at start and says nothing',
      'exec /bin/sleep 300',
      /^it hangs and says nothing: it did not say its version within 4s$/,
    ],
    [
      'asks a question at start',
      'echo "Update now? [y/N]"; exec /bin/sleep 300',
      /^it asks a question that nobody answers \('Update now\? \[y\/N\]'\)/,
    ],
    [
      'cannot say its version',
      'echo "no such module" >&2; exit 3',
      /^it does not say its version: it exited with 3 and said 'no such module'$/,
    ],
  ])('%s is given up, and the others go on', async (_what, script, gaveUp) => {
    const stage = aStage();
    writeScript(join(stage.bin, 'claude'), script);
    writeScript(
      join(stage.bin, 'codex'),
      `case "$*" in *--version*) echo "codex-cli 0.171.0"; exit 0;; esac; exit 1`,
    );
    const { finished, report } = await tested(stage);
    expect(finished.code).toBe(1);
    const [claude, codex] = report.clis;
    expect(claude?.gaveUp).toMatch(gaveUp);
    expect(codex).toMatchObject({ coverage: { type: 'covered' }, cases: [{ ok: false }] });
    expect(stage.alive()).toEqual([]);
  });

  it('hangs at its task is killed when its time is up, and shown with its last words', async () => {
    const stage = aStage();
    fakeClaude(stage, `echo 'See ${stage.home}'; echo 'Sign in to continue: '; exec /bin/sleep 300`);
    const { report } = await tested(stage);
    expect(report.clis[0]?.gaveUp).toMatch(
      /^it asks a question that nobody answers \('Sign in to continue:'\), and never asked the upstream$/,
    );
    expect(report.clis[0]?.cases[0]?.problems[0]).toBe('it did not end in time and was killed');
    expect(report.clis[0]?.cases[0]?.lines).toMatchObject([
      { ch: 'stdout', line: 'See /home/dev' },
      { ch: 'stdout', line: 'Sign in to continue:' },
    ]);
    expect(stage.alive()).toEqual([]);
  });

  it('opens a browser, updates itself and writes outside of its home is told of each', async () => {
    const stage = aStage();
    const elsewhere = join(stage.home, '.claude');
    fakeClaude(
      stage,
      `xdg-open https://example.com/login\n/bin/mkdir -p '${elsewhere}'\necho '# new' >> '${join(stage.bin, 'claude')}'\n${ANSWERS}`,
    );
    const { finished, report } = await tested(stage);
    expect(finished.code).toBe(1);
    expect(report.clis[0]?.misdeeds).toEqual([
      'it updated itself',
      'it opened a browser at https://example.com/login',
      `it wrote outside of its home, or another claude did meanwhile: ${elsewhere}`,
    ]);
  });

  it('leaves traces of the test in a home that was there before is told so', async () => {
    const stage = aStage();
    const projects = join(stage.home, '.claude/projects');
    mkdirSync(projects, { recursive: true });
    fakeClaude(stage, `work=$(echo "$PWD" | /usr/bin/tr / -)\n/bin/mkdir -p "${projects}/$work"\n${ANSWERS}`);
    const { report } = await tested(stage);
    expect(report.clis[0]?.misdeeds).toEqual([
      expect.stringMatching(/^it wrote outside of its home: .*\/\.claude\/projects\/.*secondwind-/),
    ]);
  });

  it('is given nothing of the environment of whoever runs this', async () => {
    const stage = aStage();
    const seen = join(stage.folder, 'seen');
    fakeClaude(stage, `/usr/bin/env > '${seen}'\n${ANSWERS}`);
    const secrets = {
      ANTHROPIC_API_KEY: 'sk-mine',
      CLAUDE_CONFIG_DIR: stage.home,
      HTTPS_PROXY: 'http://example.com',
    };
    const { stdout } = await stage.run(LIVE, { env: secrets });
    expect(stdout).toContain('it ignores the upstream');
    const environment = readFileSync(seen, 'utf8');
    expect(environment).not.toMatch(/sk-mine|example\.com/);
    expect(environment).not.toMatch(new RegExp(`^HOME=${stage.home}$`, 'm'));
    expect(environment).toMatch(/^ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+\//m);
  });
});

it('tests the commands of configured workers too, by their names', async () => {
  const stage = aStage();
  const program = join(stage.folder, 'my-claude');
  writeScript(program, `${SAYS_VERSION}\n${ANSWERS}`);
  stage.configure({ workers: [{ id: 'work', adapter: 'claude', command: [program] }] });
  const { report } = await tested(stage);
  expect(report).toMatchObject({
    clis: [{ name: 'work', cli: 'claude', command: [program], coverage: { type: 'newer' } }],
  });
});

it('says 78 when the configuration is wrong', async () => {
  const stage = aStage();
  stage.configure('{');
  expect(await stage.run(LIVE)).toMatchObject({ code: 78 });
});

it('leaves nothing running and nothing lying about when it is stopped', async () => {
  const stage = aStage();
  const begun = join(stage.folder, 'begun');
  fakeClaude(stage, `echo x > '${begun}'\nexec /bin/sleep 300`);
  const running = stage.start(['selftest', '--live']);
  await eventually('the CLI runs', () => existsSync(begun));
  running.kill('SIGINT');
  const { code, stdout } = await running.finished;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stage.alive()).toEqual([]);
  expect(readdirSync(stage.home)).toEqual([]);
});
