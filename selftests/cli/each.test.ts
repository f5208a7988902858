import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../rig/a-repository.ts';
import { playing } from '../rig/cli.ts';
import { aProject, branchesIn, workingClaude, workingCodex, worktreesOf } from '../rig/worktrees.ts';

/** Claude does it, Codex fails, Gemini rests, and one is not installed. */
async function three() {
  const stage = aProject();
  stage.fake('claude', workingClaude('echo two >> tracked.txt; echo new > "$(basename "$PWD")"'));
  stage.fake('codex', 'echo broken >> tracked.txt; echo "no such model" >&2; exit 1');
  stage.fake('gemini', 'exit 1');
  stage.configure({
    workers: [
      { id: 'gemini', adapter: 'gemini' },
      { id: 'codex', adapter: 'codex' },
      { id: 'a..b.lock', adapter: 'claude' },
      { id: 'gone', adapter: 'claude', command: ['nowhere-to-be-found'] },
    ],
  });
  expect((await stage.run(['cooldown', 'add', 'gemini', '--for', '2h'])).code).toBe(0);
  return stage;
}

describe('run --each', () => {
  it('gives the task to everybody who may start, each apart, and tells what came of it in their order', async () => {
    const stage = await three();
    const { code, stdout, stderr } = await stage.run(['run', '--each', 'x']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '== a..b.lock\nAll done.\n\n' });
    const [group = ''] = worktreesOf(stage);
    const id = group.split('/').at(-1) ?? '';
    const branches = [`secondwind/${id}/a_.b_lock`, `secondwind/${id}/codex`];
    expect(branchesIn(stage.project)).toEqual(['main', ...branches]);
    expect(stderr).toMatch(/^gemini: skipped, .*, until .* \(in (2h|1h 59m)\)$/m);
    expect(stderr).toMatch(/^gone: skipped, nowhere-to-be-found is not installed$/m);
    const rows = stderr.split('\n').filter((line) => line.includes(`secondwind/${id}/`));
    expect(rows[0]).toMatch(/^codex +failed +\S.* +1 +\+1 −0 +secondwind\/\S+\/codex$/);
    expect(rows[1]).toMatch(/^a\.\.b\.lock +done +\S.* +2 +\+2 −0 +secondwind\/\S+\/a_\.b_lock$/);
    expect(stderr).toContain(`codex goes on with: secondwind resume ${id}-1\n`);
    expect(stderr).toContain('codex failed: it exited with 1 without a result\n  no such model\n');
    // The commands are for one that is done.
    expect(stderr).toContain(`For secondwind/${id}/a_.b_lock:\n`);
    const alike = 'The commands for the others are alike, but for the path and the branch:\n';
    expect(stderr).toContain(`${alike}  ${group}/codex, branch secondwind/${id}/codex\n`);
    expect(git(stage.project, 'status', '--porcelain')).toBe('');
    // Nobody took over, and each can be gone on with by its own.
    stage.fake('codex', workingCodex('echo mended >> tracked.txt'));
    const resumed = await stage.run(['resume', `${id}-1`]);
    expect({ code: resumed.code, stdout: resumed.stdout }).toEqual({ code: 0, stdout: 'Done by codex.\n' });
    expect(readFileSync(join(group, 'codex', 'tracked.txt'), 'utf8')).toBe('one\nbroken\nmended\n');
  });

  it('ends well when all who began are done, and tells events only with --json', async () => {
    const stage = await three();
    const { code, stdout, events } = await stage.run(['run', '--each', '-w', 'a..b.lock', '--json', 'x']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(events.length);
    expect(events.at(-1)).toMatchObject({ type: 'session.ended', outcome: 'done' });
  });

  it('hands over to nobody when a seat is out of quota', async () => {
    const stage = aProject();
    stage.configure({ workers: [playing('claude', 'seat-exhausted-sleeps'), playing('codex', 'ok')] });
    const { code, stdout, stderr } = await stage.run(['run', '--each', 'x']);
    expect(code).toBe(75);
    expect(stdout).toMatch(/^== codex\n/);
    expect(stderr).toMatch(/^claude +everybody rests /m);
    expect(stderr).not.toContain('takes over');
  });

  it('says who is back first when nobody may start, and leaves nothing behind', async () => {
    const stage = await three();
    const { code, stderr } = await stage.run(['run', '--each', '-w', 'gemini', 'x']);
    expect(code).toBe(75);
    expect(stderr).toContain('The first back is gemini');
    expect(worktreesOf(stage)).toEqual([]);
  });

  it.each([
    [['--each', '--tasks', 'f'], '--tasks names all tasks itself'],
    [['-j', '2', 'x'], '--concurrency is for many tasks: add --tasks F or --each.'],
    [['--again', 'x'], '--again is for a list of tasks: add --tasks F.'],
    [['--each', '--again', 'x'], '--again is for a list of tasks: add --tasks F.'],
    [['--each', 'x'], 'without uncommitted changes to tracked files, but'],
  ])('refuses %j', async (args, words) => {
    const stage = aProject();
    writeFileSync(join(stage.project, 'tracked.txt'), 'two\n');
    const { code, stderr } = await stage.run(['run', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
