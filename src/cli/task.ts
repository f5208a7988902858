import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { isPiped, readStdin, readTextFile } from '../system/input.ts';
import { whyNoTask } from '../library/task-text.ts';
import type { Refusal } from '../library/host.ts';

/**
 * The task: the arguments, or `--file`, or stdin (`-`, or a pipe and no argument). After a task in words `-` adds what
 * stdin holds. Without it nothing is read: in `while read task; do secondwind run "$task"; done` the list is stdin, and
 * in a cron job or under an agent stdin may be a pipe that never ends.
 */
export async function readTask(
  words: readonly string[],
  file: string | undefined,
): Promise<Result<string, Refusal>> {
  const isStdin = words.at(-1) === '-';
  if (file !== undefined && words.length > 0) {
    return refused('a task comes from the arguments or from --file, not from both; leave one of them out.');
  }
  if (file !== undefined) {
    const text = readTextFile(file);
    return text.ok
      ? checked(text.value, `the file ${file}`)
      : refused(`cannot read the task from ${file}: ${text.error}.`);
  }
  if (words.length > 0 && !isStdin) return checked(words.join(' '), 'the task');
  if (isStdin || isPiped()) {
    const said = words.slice(0, -1).join(' ');
    const text = checked(await readStdin(), 'stdin');
    return text.ok && said !== '' ? checked(`${said}\n\n${text.value}`, 'the task') : text;
  }
  return refused(
    "expected a task, such as: secondwind run 'fix the failing test', or --file F, or text on stdin.",
  );
}

function checked(text: string, where: string): Result<string, Refusal> {
  const wrong = whyNoTask(text);
  return wrong === undefined ? ok(text) : refused(`${where} ${wrong}`);
}

function refused(message: string): Result<never, Refusal> {
  return err({ reason: 'usage', message });
}
