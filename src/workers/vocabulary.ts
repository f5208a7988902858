import type { Unknown } from '../core/unknown.ts';
import type { JsonEvent } from './json-lines.ts';
import { isRecord } from './json-lines.ts';

type Kind = 'text' | 'number' | 'truth' | 'list' | 'record' | 'null';

/** What a field may be, where it is there at all; a list holds all the codes that we know it by. */
export type FieldRule = Kind | `${Kind}|null` | readonly string[];

/** The events of a CLI that we know, and the fields of them that we read. What else is in them is none of our business. */
export interface Vocabulary {
  /** An event's name in `events`: its type, and what tells its kinds apart. */
  readonly nameOf: (event: JsonEvent) => string;
  /** By name; fields by their path, `error.message`, of two steps at most. */
  readonly events: Readonly<Record<string, Readonly<Record<string, FieldRule>>>>;
}

type Strange = Pick<Unknown, 'what' | 'name'>;

const NOTHING: readonly Strange[] = [];

/** Tells what of an event is not as we know it. What is known is taken apart once for all the events that it is held against. */
export function strangersTo(vocabulary: Vocabulary): (event: JsonEvent) => readonly Strange[] {
  const taken = new Map<string, readonly Rule[]>();
  return (event) => {
    const name = vocabulary.nameOf(event);
    let rules = taken.get(name);
    if (rules === undefined) {
      if (!Object.hasOwn(vocabulary.events, name)) return [{ what: 'event', name }];
      rules = Object.entries(vocabulary.events[name] ?? {}).map(([path, rule]) => ruleOf(path, rule));
      taken.set(name, rules);
    }
    return strangeIn(event, name, rules);
  };
}

function strangeIn(event: JsonEvent, name: string, rules: readonly Rule[]): readonly Strange[] {
  let strange: Strange[] | undefined;
  for (const { path, field, within, kinds, codes } of rules) {
    const value = within === undefined ? event[field] : fieldOf(event[within], field);
    if (value === undefined) continue;
    const kind = kindOf(value);
    if (!kinds.includes(kind)) (strange ??= []).push({ what: 'field', name: `${name} ${path} is ${kind}` });
    else if (codes !== undefined && typeof value === 'string' && !codes.includes(value))
      (strange ??= []).push({ what: 'code', name: `${name} ${path} "${value}"` });
  }
  return strange ?? NOTHING;
}

/** A rule taken apart. */
interface Rule {
  readonly path: string;
  /** The record that the field is in; `undefined`: the event itself. */
  readonly within: string | undefined;
  readonly field: string;
  readonly kinds: readonly string[];
  readonly codes: readonly string[] | undefined;
}

function ruleOf(path: string, rule: FieldRule): Rule {
  const [field = '', within] = path.split('.').toReversed();
  return typeof rule === 'string'
    ? { path, within, field, kinds: rule.split('|'), codes: undefined }
    : { path, within, field, kinds: ['text'], codes: rule };
}

function fieldOf(value: unknown, field: string): unknown {
  return isRecord(value) ? value[field] : undefined;
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'truth';
    default:
      return 'record';
  }
}
