import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../src/system/which.ts';
import { aRepository, git } from './a-repository.ts';
import type { Finished, Stage } from './cli.ts';
import { aStage } from './cli.ts';

/** A stage with git on the PATH, whose project is a repository with one commit of `tracked.txt` and `sub/deep.txt`. */
export function aProject(): Stage {
  const stage = aStage();
  linkGit(stage);
  aRepository(stage.project);
  mkdirSync(join(stage.project, 'sub'));
  writeFileSync(join(stage.project, 'sub', 'deep.txt'), 'one\n');
  git(stage.project, 'add', '.');
  git(stage.project, 'commit', '-q', '-m', 'second');
  return stage;
}

function linkGit({ bin }: Stage): void {
  const found = findProgram('git', process.env['PATH'] ?? '', '/');
  if (found.type !== 'found') throw new Error('these tests need git');
  symlinkSync(found.path, join(bin, 'git'));
}

const INIT = { type: 'system', subtype: 'init', session_id: '3488648d-0545-4e7c-bbe6-36fcbe89e28f' };
const EDIT = {
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Edit', input: { file_path: 'a.ts' } }] },
};

/** A Claude that begins, does `work` in its directory and answers. */
export function workingClaude(work: string, answer = 'All done.'): string {
  const result = { type: 'result', subtype: 'success', is_error: false, result: answer };
  return [INIT, EDIT].map(said).concat(work, said(result)).join('\n');
}

/** A Codex that does `work` in its directory and answers. */
export function workingCodex(work: string, answer = 'Done by codex.'): string {
  const message = { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: answer } };
  const [begin, end] = [
    { type: 'thread.started', thread_id: 'b' },
    { type: 'turn.completed', usage: {} },
  ];
  return [said(begin), work, said(message), said(end)].join('\n');
}

function said(line: unknown): string {
  return `echo '${JSON.stringify(line)}'`;
}

/** The worktrees of a stage's sessions, by their names. */
export function worktreesOf({ stateHome }: Stage): readonly string[] {
  const folder = join(stateHome, 'worktrees');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

export function theWorktree(stage: Stage): string {
  const [path, ...others] = worktreesOf(stage);
  if (path === undefined || others.length > 0) throw new Error(`${String(others.length)} worktrees too many`);
  return path;
}

export function branchesIn(repository: string): readonly string[] {
  return git(repository, 'branch', '--format=%(refname:short)').trim().split('\n');
}

/** A command that was proposed on stderr after its word: `look`, `merge`, `remove`. */
export function proposed(word: string, { stderr }: Pick<Finished, 'stderr'>): string {
  return new RegExp(`^  ${word} +(.*)$`, 'm').exec(stderr)?.[1] ?? '';
}
