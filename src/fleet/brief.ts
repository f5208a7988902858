import type { AttemptRecord } from '../core/session.ts';

/** The longest list of what was done, in characters; the last words come on top, and are bounded themselves. */
const LONGEST_LIST = 8_000;

/** An attempt in which work was begun. */
type Begun = Pick<AttemptRecord, 'adapter' | 'tools' | 'droppedTools' | 'lastWords'>;

/**
 * The prompt for a worker that takes over work which others began and whose conversations it cannot read: the task,
 * what was done, the last words. Marked as a brief, so that the agent does not take it for the task's own words. When
 * the list is too long, what was done first is left out: it is on disk, and the end says what is left.
 */
export function brief(task: string, begun: readonly Begun[]): string {
  const agents = [...new Set(begun.map(({ adapter }) => adapter))].join(', then ');
  const steps = begun.flatMap(({ adapter, tools }) =>
    tools.map(({ name, detail, status }) => {
      const what = detail === '' ? name : `${name}: ${detail}`;
      return begun.length === 1 ? `- ${what} (${status})` : `- ${adapter}: ${what} (${status})`;
    }),
  );
  const kept = lastThatFit(steps, LONGEST_LIST);
  const forgotten = begun.reduce((sum, { droppedTools }) => sum + droppedTools, 0);
  const leftOut = steps.length - kept.length + forgotten;
  const lastWords = begun.at(-1)?.lastWords ?? '';
  return [
    task,
    '',
    `[Brief from secondwind] This task was begun in this same directory (by ${agents}) and stopped in the middle,`,
    'through no fault of the work. The changes are on disk. Look at the present state first (for instance with git',
    'status and git diff), do not repeat what is done, and finish what is left.',
    '',
    'What was done, in order:',
    ...(leftOut === 0 ? [] : [`- (${String(leftOut)} earlier steps are left out)`]),
    ...(steps.length === 0 ? ['- nothing but talk'] : kept),
    ...(lastWords === '' ? [] : ['', 'The last words:', lastWords]),
    '',
  ].join('\n');
}

function lastThatFit(lines: readonly string[], longest: number): readonly string[] {
  let size = 0;
  const from = lines.findLastIndex((line) => (size += line.length + 1) > longest);
  return lines.slice(from + 1);
}
