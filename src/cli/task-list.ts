import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';

/** One task of a list. */
export interface ListedTask {
  readonly task: string;
  /** By what a later run of the list knows it again: its own id, or its text (and how often that came before). */
  readonly key: string;
  /** Relative to the directory of the whole list. */
  readonly cd: string | undefined;
  readonly workers: readonly string[] | undefined;
  readonly model: string | undefined;
}

const KEYS = ['task', 'id', 'cd', 'workers', 'model'];

/**
 * Reads a list of tasks: one a line, as text or as a JSON object (`task`, and where wanted `id`, `cd`, `workers`,
 * `model`). Empty lines and those that begin with `#` are passed over. The error is a clause with the line's number.
 */
export function parseTaskList(text: string): Result<readonly ListedTask[], string> {
  const tasks: ListedTask[] = [];
  const seen = new Map<string, number>();
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const parsed = line.startsWith('{') ? fromJson(line) : ok(plain(line));
    if (!parsed.ok) return err(`line ${String(index + 1)}: ${parsed.error}`);
    const { id, ...task } = parsed.value;
    const key = id ?? task.task;
    const before = seen.get(key) ?? 0;
    if (id !== undefined && before > 0)
      return err(`line ${String(index + 1)}: the id '${id}' was there before`);
    seen.set(key, before + 1);
    tasks.push({ ...task, key: before === 0 ? key : `${key} (${String(before + 1)})` });
  }
  if (text.includes('\0')) return err('it holds a NUL character; a task is text');
  return tasks.length === 0 ? err('it holds no task') : ok(tasks);
}

type Parsed = Omit<ListedTask, 'key'> & { readonly id: string | undefined };

function plain(task: string): Parsed {
  return { task, id: undefined, cd: undefined, workers: undefined, model: undefined };
}

function fromJson(line: string): Result<Parsed, string> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return err(`expected a JSON object, but ${error.message}`);
    throw error;
  }
  const found = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(found).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return err(`unknown key '${unknown}'; there are ${KEYS.join(', ')}`);
  const { task, id, cd, workers, model } = found;
  if (typeof task !== 'string' || task.trim() === '') return err("expected 'task' to be a text");
  for (const [key, one] of Object.entries({ id, cd, model }))
    if (one !== undefined && (typeof one !== 'string' || one === ''))
      return err(`expected '${key}' to be a text`);
  const isList =
    Array.isArray(workers) && workers.length > 0 && workers.every((name) => typeof name === 'string');
  if (workers !== undefined && !isList) return err("expected 'workers' to be a list of names");
  const text = (one: unknown): string | undefined => (typeof one === 'string' ? one : undefined);
  return ok({
    ...{ task, id: text(id), cd: text(cd), model: text(model) },
    workers: isList ? (workers as readonly string[]) : undefined,
  });
}
