import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { didYouMean } from '../core/similar.ts';

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
  if (isJsonList(text)) return err(ONE_A_LINE);
  const tasks: ListedTask[] = [];
  const ids = new Map<string, number>();
  const keys = new Set<string>();
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const parsed = line.startsWith('{') ? fromJson(line) : ok(plain(line));
    const number = index + 1;
    if (isJsonList(line)) return err(`line ${String(number)}: ${ONE_A_LINE}`);
    if (!parsed.ok) return err(`line ${String(number)}: ${parsed.error}`);
    const { id, ...task } = parsed.value;
    // The system takes none in an argument or a path.
    if ([task.task, id, task.cd, task.model, ...(task.workers ?? [])].some((one) => one?.includes('\0')))
      return err(`line ${String(number)}: expected a text, and found a NUL character in it`);
    const before = id === undefined ? undefined : ids.get(id);
    if (before !== undefined)
      return err(`line ${String(number)}: the id '${id ?? ''}' is that of line ${String(before)}`);
    if (id !== undefined) ids.set(id, number);
    const key = unusedKey(id === undefined ? `text ${task.task}` : `id ${id}`, keys);
    keys.add(key);
    tasks.push({ ...task, key });
  }
  return tasks.length === 0 ? err('it holds no task') : ok(tasks);
}

const ONE_A_LINE = 'expected one JSON object a line, but found a JSON list; give each task a line of its own';

/** `[bug] mend the clock` is a task; a whole list is a slip, and would be one expensive task. */
function isJsonList(text: string): boolean {
  if (!text.trimStart().startsWith('[')) return false;
  try {
    return Array.isArray(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** The same text may be wanted several times, and each is a task of its own. */
function unusedKey(stem: string, used: ReadonlySet<string>): string {
  let key = stem;
  for (let copy = 2; used.has(key); copy += 1) key = `${stem} (${String(copy)})`;
  return key;
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
  if (unknown !== undefined)
    return err(`unknown key '${unknown}'${didYouMean(unknown, KEYS)}; there are ${KEYS.join(', ')}`);
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
