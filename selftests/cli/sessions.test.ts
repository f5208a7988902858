import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../rig/children.ts';
import type { Finished, Stage } from '../rig/cli.ts';
import { aStage, playing } from '../rig/cli.ts';

const CONVERSATION = '3488648d-0545-4e7c-bbe6-36fcbe89e28f';

const INIT = { type: 'system', subtype: 'init', session_id: CONVERSATION };
const EDIT = {
  type: 'assistant',
  message: {
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'Edit', input: { file_path: 'src/clock.ts' } }],
  },
};
const RESULT = { type: 'result', subtype: 'success', is_error: false, result: 'All done.' };

/** A Claude that notes how it was called, begins, and then does `then`. */
function aClaude(then: string, stage = aStage()): Stage {
  const lines = [INIT, EDIT].map((line) => `echo '${JSON.stringify(line)}'`).join('\n');
  stage.fake('claude', `for word in "$@"; do echo "$word"; done >> "$HOME/argv"\n${lines}\n${then}`);
  return stage;
}

const finishes = `echo '${JSON.stringify(RESULT)}'`;

function argv(stage: Stage): string {
  const file = join(stage.home, 'argv');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

interface Saved {
  readonly id: string;
  readonly state: string;
  readonly running: boolean;
  readonly switchCount: number;
  readonly attempts: readonly Readonly<Record<string, unknown>>[];
}

async function sessions(stage: Stage): Promise<readonly Saved[]> {
  const { stdout } = await stage.run(['sessions', '--json']);
  return JSON.parse(stdout) as Saved[];
}

async function only(stage: Stage): Promise<Saved> {
  const [first, ...others] = await sessions(stage);
  if (first === undefined || others.length > 0) throw new Error('expected one session');
  return first;
}

/** Runs a task until it is at work, then ends secondwind itself with `signal`. */
async function stopped(signal: NodeJS.Signals): Promise<{ stage: Stage; finished: Finished; id: string }> {
  const stage = aClaude('exec sleep 900');
  const running = stage.start(['run', 'mend the clock']);
  await eventually('the tool use is saved', () =>
    savedTexts(stage).some((text) => text.includes('src/clock.ts')),
  );
  running.kill(signal);
  const finished = await running.finished;
  const { id } = await only(stage);
  rmSync(join(stage.home, 'argv'));
  return { stage: aClaude(finishes, stage), finished, id };
}

function savedTexts(stage: Stage): readonly string[] {
  const folder = join(stage.stateHome, 'sessions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

describe('resume', () => {
  it.each([
    ['SIGINT', 'interrupted'],
    ['SIGTERM', 'interrupted'],
    ['SIGKILL', 'killed'],
  ] as const)('goes on in the same conversation after %s', async (signal, state) => {
    const { stage, id } = await stopped(signal);
    expect(await only(stage)).toMatchObject({ state, running: false });
    const { code, stdout } = await stage.run(['resume', id]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
    expect(argv(stage)).toContain(`--resume\n${CONVERSATION}\n`);
    // What was begun is never asked for again.
    expect(argv(stage)).not.toContain('mend the clock');
    expect(stage.alive()).toEqual([]);
    const saved = await only(stage);
    expect(saved).toMatchObject({ id, state: 'done', switchCount: 0 });
    expect(saved.attempts.map(({ how, outcome }) => ({ how, outcome }))).toEqual([
      { how: 'prompt', outcome: 'stopped' },
      { how: 'resume', outcome: 'done' },
    ]);
  });

  it('tells another CLI what was done, when the session was killed', async () => {
    const { stage, id } = await stopped('SIGKILL');
    const agent = { id: 'item_0', type: 'agent_message', text: 'Done by codex.' };
    const lines = [
      { type: 'thread.started', thread_id: 'b' },
      { type: 'item.completed', item: agent },
      { type: 'turn.completed', usage: {} },
    ];
    stage.fake(
      'codex',
      `echo "$@" >> "$HOME/argv"\n${lines.map((line) => `echo '${JSON.stringify(line)}'`).join('\n')}`,
    );
    const { code, stdout } = await stage.run(['resume', id, '-w', 'codex']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done by codex.\n' });
    for (const part of ['mend the clock', '[Brief from secondwind]', 'Edit: src/clock.ts'])
      expect(argv(stage)).toContain(part);
    expect((await only(stage)).switchCount).toBe(1);
  });

  it('asks with the same prompt when nothing was begun, and with the workers of then', async () => {
    const stage = aStage();
    stage.configure({
      workers: [
        playing('claude', 'seat-exhausted-sleeps'),
        playing('codex', 'ok'),
        playing('gemini', 'ok', 'never'),
      ],
    });
    expect((await stage.run(['run', '-w', 'claude', 'x'])).code).toBe(75);
    const { id, state } = await only(stage);
    expect(state).toBe('exhausted');
    expect((await stage.run(['resume', id])).code).toBe(75);
    const { code, stderr } = await stage.run(['resume', id, '-w', 'claude,codex']);
    expect(code).toBe(0);
    expect(stderr).toContain('same task, nothing was begun');
    const saved = await only(stage);
    expect(saved.attempts.map(({ worker }) => worker)).toEqual(['claude', 'codex']);
    expect(saved).toMatchObject({ state: 'done', switchCount: 1 });
  });

  it('says what a person adds, in the conversation of a session that is done', async () => {
    const stage = aClaude(finishes);
    await stage.run(['run', 'mend the clock']);
    const { id } = await only(stage);
    const refused = await stage.run(['resume', id]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`session ${id} is done; say what is to be done next`);
    expect((await stage.run(['resume', id, 'and', 'wind it up'])).code).toBe(0);
    expect(argv(stage)).toContain(`--resume\n${CONVERSATION}\n--\nand wind it up\n`);
  });

  it('leaves a session alone that another secondwind works on', async () => {
    const stage = aClaude('exec sleep 900');
    const running = stage.start(['run', 'x']);
    await running.says('Edit');
    const { id, running: isRunning } = await only(stage);
    expect(isRunning).toBe(true);
    const { code, stderr } = await stage.run(['resume', id]);
    expect(code).toBe(2);
    expect(stderr).toBe(`secondwind: session ${id} is running in another secondwind; stop that one first.\n`);
    running.kill('SIGINT');
    await running.finished;
  });

  it('of two that begin at once lets one go on', async () => {
    const { stage, id } = await stopped('SIGKILL');
    const both = await Promise.all([stage.run(['resume', id]), stage.run(['resume', id])]);
    // The second may also come when the first is done already.
    expect(both.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect((await only(stage)).attempts).toHaveLength(2);
  });

  it('says that the directory of a session is gone', async () => {
    const stage = aClaude(finishes);
    await stage.run(['run', 'x']);
    const { id } = await only(stage);
    rmSync(stage.project, { recursive: true });
    const { code, stderr } = await stage.run(['resume', id, 'more'], { cwd: stage.home });
    expect(code).toBe(2);
    expect(stderr).toContain('that directory is gone');
  });
});

describe('sessions', () => {
  it('are known by the id that --json gives first', async () => {
    const stage = aClaude(finishes);
    const { events } = await stage.run(['run', '--json', 'x']);
    expect(events[0]).toMatchObject({ type: 'session.started', resumed: false });
    expect((await only(stage)).id).toBe(events[0]?.session);
  });

  it('tell of one what was asked, who worked and what came of it', async () => {
    const stage = aClaude(finishes);
    await stage.run(['run', 'mend the clock']);
    const { id } = await only(stage);
    const { stdout } = await stage.run(['sessions', 'show', id.slice(0, -2)]);
    for (const part of [id, 'done', 'mend the clock', 'claude', 'All done.']) expect(stdout).toContain(part);
    const { stdout: list } = await stage.run(['sessions']);
    expect(list).toContain('mend the clock');
  });

  it.each(['nobody', '../config', '', '-x', 'a/b', '..', '.'])('know none called %j', async (id) => {
    const stage = aStage();
    stage.configure({});
    const { code, stdout, stderr } = await stage.run(['sessions', 'show', id]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n')[0]).not.toBe('');
  });

  it('ask for more of an id that several begin with', async () => {
    const stage = aClaude(finishes);
    await stage.run(['run', 'x']);
    await stage.run(['run', 'y']);
    const { code, stderr } = await stage.run(['resume', '20']);
    expect(code).toBe(2);
    expect(stderr).toContain('is the beginning of 2 sessions');
  });

  it('that cannot be saved stop nothing, and that is said once', async () => {
    const stage = aClaude(finishes);
    stage.configure({});
    writeFileSync(join(stage.stateHome, 'sessions'), 'a file where a folder belongs');
    const { code, stdout, stderr } = await stage.run(['run', 'x']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
    expect(stderr.match(/Expected to save .*sessions.* cannot be resumed\./g)).toHaveLength(1);
  });

  it('that cannot be saved are not named as ones that could be resumed', async () => {
    const stage = aStage();
    stage.configure({ workers: [playing('claude', 'seat-exhausted-sleeps')] });
    writeFileSync(join(stage.stateHome, 'sessions'), 'a file where a folder belongs');
    const { code, stderr } = await stage.run(['run', 'x']);
    expect(code).toBe(75);
    expect(stderr).not.toContain('secondwind resume');
  });

  it('that are damaged are set aside, and the others are still there', async () => {
    const stage = aClaude(finishes);
    await stage.run(['run', 'x']);
    const broken = join(stage.stateHome, 'sessions', '20200101-000000-aaaa.json');
    writeFileSync(broken, '{ "version": 1, "session": { "id": 7');
    const { code, stdout, stderr } = await stage.run(['sessions', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toContain('damaged');
    expect(existsSync(broken)).toBe(false);
  });
});
