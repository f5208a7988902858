import type { Transcript } from '../workers/transcript.ts';

/** The longest brief, in characters, beside the task itself. */
const LONGEST = 12_000;

/**
 * The prompt for a worker that takes over work which another began and whose conversation it cannot read: the task,
 * what was done, the last words. Marked as a brief, so that the agent does not take it for the task's own words.
 */
export function brief(task: string, from: string, { tools, dropped, lastWords }: Transcript): string {
  const done = tools.map(
    ({ name, detail, status }) => `- ${name}${detail === '' ? '' : `: ${detail}`} (${status})`,
  );
  const earlier = dropped === 0 ? [] : [`- (${String(dropped)} earlier ones are left out)`];
  const body = [
    `[Brief from secondwind] Another agent (${from}) began this task in this same directory and had to stop in the`,
    'middle, through no fault of the work. Its changes are on disk. Look at the present state first (for instance with',
    'git status and git diff), do not repeat what is done, and finish what is left.',
    '',
    'What it did, in order:',
    ...(done.length === 0 ? ['- nothing but talk'] : [...earlier, ...done]),
    ...(lastWords === '' ? [] : ['', 'Its last words:', lastWords]),
  ].join('\n');
  const bounded = body.length > LONGEST ? `${body.slice(0, LONGEST)}\n(The brief is cut here.)` : body;
  return `${task}\n\n${bounded}\n`;
}
