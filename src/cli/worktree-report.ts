import type { SessionWorktree } from '../core/session.ts';
import type { FileChange, WorktreeChanges } from '../system/worktree-changes.ts';
import { changesOf } from '../system/worktree-changes.ts';
import { harmless, harmlessLine } from '../core/harmless.ts';
import type { Io } from './io.ts';
import { shellWord } from './shell-word.ts';
import { textTable } from './table.ts';

const MOST_FILES = 12;

/** What became of a session's worktree, as it stands. `undefined`: git does not tell. */
export async function lookAt(
  { clock, env }: Io,
  worktree: SessionWorktree,
): Promise<WorktreeChanges | undefined> {
  return changesOf(worktree, { clock, env });
}

/** Says where a session works. */
export function sayWhere({ terminal }: Pick<Io, 'terminal'>, { path, branch }: SessionWorktree): void {
  terminal.err(`worktree: ${harmlessLine(path)}, branch ${branch}\n`);
}

/** What a session left in its worktree, and the commands to look at it, merge it and remove it; a whole page. */
export function worktreeReport(tree: SessionWorktree, changes: WorktreeChanges | undefined): string {
  const rows: string[] = [];
  if (changes === undefined) rows.push('worktree: git does not tell what changed in it');
  else if (changes.files.length === 0) rows.push('worktree: nothing changed in it');
  else {
    rows.push(`worktree: ${sizeOf(changes)}`, ...changes.files.slice(0, MOST_FILES).map(fileRow));
    const more = changes.files.length - MOST_FILES;
    if (more > 0) rows.push(`  and ${String(more)} more`);
  }
  if (changes !== undefined) rows.push(...remarks(tree, changes));
  return `${rows.map(harmlessLine).join('\n')}\n${commandsFor(tree, changes)}`;
}

/** `3 files, +12 −1`. */
function sizeOf(changes: WorktreeChanges): string {
  const { length } = changes.files;
  return `${String(length)} file${length === 1 ? '' : 's'} changed, ${linesOf(changes)}`;
}

function linesOf({ files }: WorktreeChanges): string {
  const sum = (of: (file: FileChange) => number | undefined): string =>
    String(files.reduce((total, file) => total + (of(file) ?? 0), 0));
  return `+${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
}

function fileRow({ path, added, removed }: FileChange): string {
  const size = added === undefined ? 'not text' : `+${String(added)} −${String(removed ?? 0)}`;
  return `  ${path} ${size}`;
}

function remarks(
  { branch }: SessionWorktree,
  { uncommitted, branch: now, commits }: WorktreeChanges,
): readonly string[] {
  const files = `${String(uncommitted)} file${uncommitted === 1 ? '' : 's'}`;
  const left =
    uncommitted > 0
      ? [
          `${files} of it ${uncommitted === 1 ? 'is' : 'are'} not committed, and stay${uncommitted === 1 ? 's' : ''} there`,
        ]
      : [];
  if (now === branch) return left;
  const where = now === undefined ? 'no branch' : `branch ${now}`;
  return [...left, `the agent left branch ${branch}: it is on ${where}, ${String(commits)} commits ahead`];
}

/** Nothing is merged, pushed or deleted without being asked; this is how to ask. */
function commandsFor(
  { repository, path, branch, base }: SessionWorktree,
  changes: WorktreeChanges | undefined,
): string {
  const [there, here] = [`git -C ${shellWord(path)}`, `git -C ${shellWord(repository)}`];
  const commit = `${there} add --all && ${there} commit -m ${shellWord(branch)} && `;
  const isCommitted = changes === undefined || changes.uncommitted === 0;
  // Without being told of them, `git diff` shows no new files.
  const tell = isCommitted ? '' : `${there} add --all --intent-to-add && `;
  const merge = `${isCommitted ? '' : commit}${here} merge ${shellWord(changes?.branch ?? branch)}`;
  const rows = [
    ...(changes?.files.length === 0
      ? []
      : [`  look    ${tell}${there} diff ${base.slice(0, 12)}`, `  merge   ${merge}`]),
    `  remove  ${here} worktree remove ${shellWord(path)} && ${here} branch -d ${shellWord(branch)}`,
    ...(changes?.files.length === 0 ? [] : ['          (with --force and -D also what is not merged)']),
  ];
  return `${harmless(rows.join('\n'))}\n`;
}

/** One worktree of many, as a person knows it. */
export interface NamedWorktree {
  /** Its place among them. */
  readonly order: number;
  /** The cells that stand before what changed. */
  readonly cells: readonly string[];
  readonly worktree: SessionWorktree;
  readonly isDone: boolean;
}

/**
 * What became of many worktrees, a line each, the commands for one of them, best one that is done, with changes, and
 * what differs in those for the others.
 */
export async function worktreeTable(
  io: Io,
  head: readonly string[],
  trees: readonly NamedWorktree[],
): Promise<string> {
  const looked = await Promise.all(
    trees
      .toSorted((one, other) => one.order - other.order)
      .map(async (tree) => ({ ...tree, changes: await lookAt(io, tree.worktree) })),
  );
  const rows = looked.map(({ cells, worktree, changes }) => {
    const files = changes === undefined ? '?' : String(changes.files.length);
    return [...cells, files, changes === undefined ? '?' : linesOf(changes), worktree.branch];
  });
  const changed = looked.filter(({ changes }) => changes?.files.length !== 0);
  const first = changed.find(({ isDone }) => isDone) ?? changed[0] ?? looked[0];
  const others = looked.filter((tree) => tree !== first);
  const left = looked.filter(({ changes }) => (changes?.uncommitted ?? 0) > 0).length;
  return [
    textTable([...head, 'FILES', 'LINES', 'BRANCH'], rows, {
      columns: io.terminal.isLive ? io.terminal.columns : undefined,
    }),
    left === 0 ? '' : `What is not committed stays in the worktrees (in ${String(left)} of them).\n`,
    ...(first === undefined
      ? []
      : [`For ${first.worktree.branch}:\n`, commandsFor(first.worktree, first.changes)]),
    ...(first === undefined || others.length === 0
      ? []
      : ['The commands for the others are alike, but for the path and the branch:\n']),
    ...(first === undefined ? [] : others.map((tree) => otherRow(tree, first.worktree))),
  ].join('');
}

function otherRow(
  { worktree, changes }: NamedWorktree & { readonly changes: WorktreeChanges | undefined },
  first: SessionWorktree,
): string {
  const { repository, path, branch, base } = worktree;
  const notes = [
    ...(changes?.files.length === 0 ? ['nothing changed'] : []),
    ...(repository === first.repository ? [] : [`of ${repository}`]),
    ...(base === first.base ? [] : [`from ${base.slice(0, 12)}`]),
    ...(changes === undefined || changes.branch === branch
      ? []
      : [`now on ${changes.branch === undefined ? 'no branch' : `branch ${changes.branch}`}`]),
  ];
  return `  ${harmlessLine([shellWord(path), `branch ${branch}`, ...notes].join(', '))}\n`;
}
