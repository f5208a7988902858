import type { AttemptRecord, ToolUse } from '../core/session.ts';
import { oneLine } from '../workers/tool-detail.ts';

/** The longest list of what was done, in characters; the last words come on top, and are bounded themselves. */
const LONGEST_LIST = 8_000;
const LONGEST_STAT = 4_000;
const MOST_FILES = 60;

/** An attempt in which work was begun. */
type Begun = Pick<AttemptRecord, 'adapter' | 'tools' | 'droppedTools' | 'lastWords' | 'outcome'>;

/** What a work tree holds that its last commit does not. */
export interface Changes {
  /** As `git diff --stat` says it. */
  readonly diffStat: string;
  readonly untracked: readonly string[];
}

/**
 * The prompt for a worker that takes over work which others began and whose conversations it cannot read: the task,
 * what was done, how the files stand, the last words, what is left. Marked as a brief, so that the agent does not take it
 * for the task's own words. When the list is too long, what was done first is left out: it is on disk, and the end says
 * what is left.
 */
export function brief(task: string, begun: readonly Begun[], changes: Changes | undefined): string {
  // A person may ask for more when all was done.
  const isDone = begun.at(-1)?.outcome === 'done';
  return [
    task,
    '',
    `${MARK} This task was begun in this same directory (by ${agentsOf(begun)}) and`,
    isDone
      ? 'was said to be done; what is asked for last came after that.'
      : 'stopped in the middle, through no fault of the work.',
    'The changes are on disk. Look at the present state first, do not repeat what is done, and finish what is left.',
    '',
    ...whatWasDone(begun, changes),
    'What is left: whatever the task asks for and the state of the files does not show.',
    '[End of the brief]',
    '',
  ].join('\n');
}

/** The prompt for an agent that goes on with its own conversation, in which it does not know what others did since. */
export function briefOfSince(since: readonly Begun[], changes: Changes | undefined): string {
  return [
    `${MARK} Go on with the task. Since you stopped, others worked on it in this same directory (${agentsOf(since)}).`,
    'Look at the present state first, do not repeat what is done, and finish what is left.',
    '',
    ...whatWasDone(since, changes),
    '[End of the brief]',
    '',
  ].join('\n');
}

const MARK = '[Brief from secondwind]';

function agentsOf(begun: readonly Begun[]): string {
  return [...new Set(begun.map(({ adapter }) => adapter))].join(', then ');
}

/** The parts of a brief, each followed by an empty line. */
function whatWasDone(begun: readonly Begun[], changes: Changes | undefined): readonly string[] {
  const lastWords = begun.at(-1)?.lastWords ?? '';
  return [
    ...['What was done, in order:', ...stepsOf(begun, lastWords), ''],
    ...(changes === undefined ? [] : filesOf(changes)),
    ...(lastWords === '' ? [] : ['The last words:', lastWords, '']),
  ];
}

function stepsOf(begun: readonly Begun[], lastWords: string): readonly string[] {
  const steps = begun.flatMap(({ adapter, tools }) =>
    tools.map(({ name, detail, status }) => {
      const what = detail === '' ? name : `${name}: ${detail}`;
      const outcome = OUTCOMES[status];
      return begun.length === 1 ? `- ${what} (${outcome})` : `- ${adapter}: ${what} (${outcome})`;
    }),
  );
  const forgotten = begun.reduce((sum, { droppedTools }) => sum + droppedTools, 0);
  if (steps.length + forgotten === 0)
    return [lastWords === '' ? '- nothing is known of it; the files may show it' : '- nothing but talk'];
  const kept = lastThatFit(steps, LONGEST_LIST);
  const leftOut = steps.length - kept.length + forgotten;
  return leftOut === 0 ? kept : [`- (${String(leftOut)} earlier steps are left out)`, ...kept];
}

const OUTCOMES: Readonly<Record<ToolUse['status'], string>> = {
  done: 'done',
  failed: 'failed',
  started: 'cut off in the middle: it may have taken effect or not',
};

/** Some of it may be older than the task: a work tree need not have been clean. */
function filesOf({ diffStat, untracked }: Changes): readonly string[] {
  if (diffStat === '' && untracked.length === 0) return ['No file differs from the last commit.', ''];
  const named = untracked.slice(0, MOST_FILES).map((path) => `- ${oneLine(path)}`);
  const more = untracked.length - named.length;
  const lines = diffStat.split('\n');
  const kept = lastThatFit(lines, LONGEST_STAT);
  return [
    ...(diffStat === '' ? [] : ['How the files differ from the last commit (git diff --stat):']),
    ...(diffStat === '' ? [] : [...(kept.length < lines.length ? [' ...'] : []), ...kept, '']),
    ...(named.length === 0 ? [] : ['New files, which git does not track:', ...named]),
    ...(more > 0 ? [`- (and ${String(more)} more)`] : []),
    ...(named.length === 0 ? [] : ['']),
  ];
}

function lastThatFit(lines: readonly string[], longest: number): readonly string[] {
  let size = 0;
  const from = lines.findLastIndex((line) => (size += line.length + 1) > longest);
  return lines.slice(from + 1);
}
