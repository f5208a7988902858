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
  /** By name; fields by their path, `error.message`. */
  readonly events: Readonly<Record<string, Readonly<Record<string, FieldRule>>>>;
}

type Strange = Pick<Unknown, 'what' | 'name'>;

/** What of an event is not as we know it. */
export function strangeIn(event: JsonEvent, { nameOf, events }: Vocabulary): readonly Strange[] {
  const name = nameOf(event);
  if (!Object.hasOwn(events, name)) return [{ what: 'event', name }];
  return Object.entries(events[name] ?? {}).flatMap(([path, rule]): readonly Strange[] => {
    const value = at(event, path);
    if (value === undefined) return [];
    const kind = kindOf(value);
    if (typeof rule !== 'string') {
      if (typeof value !== 'string') return [{ what: 'field', name: `${name} ${path} is ${kind}` }];
      return rule.includes(value) ? [] : [{ what: 'code', name: `${name} ${path} "${value}"` }];
    }
    return rule.split('|').includes(kind) ? [] : [{ what: 'field', name: `${name} ${path} is ${kind}` }];
  });
}

function at(event: JsonEvent, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), event);
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
