import { ID_PATTERN } from '../core/ids.ts';
import { looseValue } from '../store/loose-config.ts';
import { readIfThere } from '../system/input.ts';
import { namesIn } from '../system/state-folder.ts';
import { ADAPTER_NAMES } from '../workers/registry.ts';

/** A name that can be typed, and what it stands for. */
export interface LiveName {
  readonly name: string;
  readonly about: string;
}

// What completion offers. It reads the files as they lie there, unchecked and without a lock: nothing follows from it.

/** The workers of the configuration, then the plain ones. */
export function workerNames(stateHome: string): readonly LiveName[] {
  const configured = listAt(looseValue(textOf(`${stateHome}/config.json`)), 'workers').flatMap((worker) => {
    const { id, adapter, model } = worker;
    if (typeof id !== 'string') return [];
    return [{ name: id, about: [adapter, model].filter((one) => typeof one === 'string').join(', ') }];
  });
  const plain = ADAPTER_NAMES.filter((name) => !configured.some((one) => one.name === name));
  return valid([...configured, ...plain.map((name) => ({ name, about: 'as installed' }))]);
}

/** Who is on record as resting, each once, with the kinds. */
export function restingNames(stateHome: string): readonly LiveName[] {
  const kinds = new Map<string, string[]>();
  for (const { worker, kind } of cooldownsIn(stateHome)) {
    if (typeof worker === 'string') kinds.set(worker, [...(kinds.get(worker) ?? []), String(kind)]);
  }
  return valid([...kinds].map(([name, all]) => ({ name, about: [...new Set(all)].join(', ') })));
}

/** The kinds of rest that are on record now. */
export function kindsOnRecord(stateHome: string): readonly string[] {
  const kinds = cooldownsIn(stateHome).map(({ kind }) => kind);
  return [...new Set(kinds.filter((kind) => typeof kind === 'string'))];
}

/** More sessions than these nobody reads through. */
const MOST_SESSIONS = 30;

/** The newest sessions, each with the beginning of its task. */
export function sessionNames(stateHome: string, beginning: string): readonly LiveName[] {
  const folder = `${stateHome}/sessions`;
  const ids = namesIn(folder)
    .flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
    .filter((id) => ID_PATTERN.test(id) && id.startsWith(beginning));
  const newest = ids.sort().reverse().slice(0, MOST_SESSIONS);
  return newest.map((name) => {
    const session = fieldOf(jsonAt(`${folder}/${name}.json`), 'session');
    const [state, task] = [fieldOf(session, 'state'), fieldOf(fieldOf(session, 'request'), 'task')];
    return { name, about: [state, task].filter((one) => typeof one === 'string').join(': ') };
  });
}

function cooldownsIn(stateHome: string): readonly Readonly<Record<string, unknown>>[] {
  return listAt(jsonAt(`${stateHome}/cooldowns.json`), 'cooldowns');
}

function textOf(path: string): string {
  const text = readIfThere(path);
  return text.ok ? (text.value ?? '') : '';
}

function jsonAt(path: string): unknown {
  try {
    return JSON.parse(textOf(path));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function listAt(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = fieldOf(value, key);
  if (!Array.isArray(list)) return [];
  return list.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null);
}

function valid(names: readonly LiveName[]): readonly LiveName[] {
  return names.filter(({ name }) => ID_PATTERN.test(name));
}
