import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { isPiped, readStdin, readTextFile } from '../system/input.ts';
import { EXIT } from './exit-codes.ts';
import type { Refusal } from './io.ts';

/** The task: the arguments, or `--file`, or stdin (`-`, or a pipe and no argument). */
export async function readTask(
  words: readonly string[],
  file: string | undefined,
): Promise<Result<string, Refusal>> {
  const isStdin = words.length === 1 && words[0] === '-';
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
  if (isStdin || isPiped()) return checked(await readStdin(), 'stdin');
  return refused(
    "expected a task, such as: secondwind run 'fix the failing test', or --file F, or text on stdin.",
  );
}

function checked(text: string, where: string): Result<string, Refusal> {
  if (text.includes('\0')) return refused(`${where} holds a NUL character; a task is text.`);
  return text.trim() === '' ? refused(`${where} is empty; say what is to be done.`) : ok(text);
}

function refused(message: string): Result<never, Refusal> {
  return err({ code: EXIT.usage, message });
}
