import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeScript } from '../rig/children.ts';
import { aStage } from '../rig/cli.ts';
import { aProject, workingClaude, workingCodex } from '../rig/worktrees.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const SECONDWIND = join(import.meta.dirname, '../../bin/secondwind.js');

/** The blocks of that language, without their fences. */
function blocks(language: string): readonly string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );
}

/** What a reader would type: of the blocks of commands all, of the transcripts what stands after `$`. */
const typed = README.matchAll(/^```(sh|console)\n([\s\S]*?)^```/gm);
const commands = [...typed].flatMap(([, kind, text = '']) =>
  text.split('\n').flatMap((line) => {
    if (kind === 'sh') return line === '' ? [] : [line];
    return line.startsWith('$ ') ? [line.slice(2)] : [];
  }),
);

describe('the README', () => {
  it('is typed from top to bottom, and every command does what it should', () => {
    const stage = aProject();
    writeScript(join(stage.bin, 'secondwind'), `exec ${process.execPath} ${SECONDWIND} "$@"`);
    stage.fake('claude', workingClaude('echo two >> tracked.txt'));
    stage.fake('codex', workingCodex('echo three >> tracked.txt'));
    mkdirSync(join(stage.home, 'project'));
    writeFileSync(join(stage.project, 'task.md'), 'make the failing test pass');
    writeFileSync(join(stage.project, 'backlog.txt'), 'mend the clock\nwind it\n');
    const capture = join(import.meta.dirname, '../../fixtures/claude/seat-exhausted-exits/stream.jsonl');
    writeFileSync(join(stage.project, 'output.jsonl'), readFileSync(capture));
    const env = { PATH: `${stage.bin}:/usr/bin:/bin`, HOME: stage.home, TZ: 'UTC' };
    const git = (...args: string[]) => execFileSync('git', args, { cwd: stage.project, env, stdio: 'pipe' });
    // `npm` is what CI does; the live selftest has its own; the id of the transcript is of another day.
    const own = commands.filter((line) => !/^npm |selftest --live|resume \d/.test(line));
    expect(own.length).toBeGreaterThan(7);
    for (const line of own) {
      // A worktree starts from what is committed.
      if (line.includes('--worktree') || line.includes('--each')) git('checkout', '-q', '--', '.');
      const { status, stderr } = spawnSync('/bin/sh', ['-c', line], {
        cwd: stage.project,
        env,
        encoding: 'utf8',
      });
      expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' });
    }
  });

  it.each(blocks('jsonc').map((text) => [text]))('shows configurations that are valid: %s', async (text) => {
    const stage = aStage();
    stage.configure(text.trimStart().startsWith('{') ? text : `{ ${text} }`);
    const { code, stderr } = await stage.run(['config', 'show']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('names no option, command, variable or event that is not there', async () => {
    const stage = aStage();
    const help = await Promise.all(
      (await allCommands()).map(async (words) => (await stage.run([...words, '--help'])).stdout),
    );
    const known = help.join('\n');
    const prose = README.replace(/^```[\s\S]*?^```/gm, '');
    const options = [...new Set([...prose.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option))];
    expect(options.length).toBeGreaterThan(20);
    // Options of git and of Node.
    const others = ['--stat'];
    expect(options.filter((option) => !known.includes(option) && !others.includes(option))).toEqual([]);
    const variables = [...new Set([...README.matchAll(/SECONDWIND_[A-Z_]+/g)].map(([name]) => name))];
    expect(variables.filter((name) => !known.includes(name))).toEqual([]);
    const asked = [...README.matchAll(/`secondwind ([a-z]+(?: [a-z]+)?)/g)].map(([, words = '']) =>
      words.split(' '),
    );
    const wrong = asked.filter(([first = '']) => !known.includes(`secondwind ${first}`));
    expect(wrong).toEqual([]);

    async function allCommands(): Promise<readonly (readonly string[])[]> {
      const inside = async (words: readonly string[]): Promise<readonly (readonly string[])[]> => {
        const { stdout } = await stage.run([...words, '--help']);
        const [, listed = ''] = /^(?:Commands|Tasks):\n([\s\S]*)/m.exec(stdout) ?? [];
        const names = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
        const found = names.filter((name) => name !== 'help').map((name) => [...words, name]);
        return [words, ...(words.length === 0 ? (await Promise.all(found.map(inside))).flat() : found)];
      };
      return inside([]);
    }
  });
});
