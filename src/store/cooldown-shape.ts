import { CLEARED_BY } from '../core/cooldown.ts';
import { COOLDOWN_KINDS, SOURCES } from '../core/signal.ts';
import { fromIso } from '../core/time.ts';
import type { SavedCooldowns } from './cooldown-schema.ts';
import type { JsonObject } from './strict-json.ts';
import { isObject } from './strict-json.ts';

// The schema of cooldown-schema.ts once more, for what is nearly always found: a sound file, whose reading then loads
// no schema and walks every record in a fraction of the time. Whatever is not known here goes to the schema,
// which alone decides what is damage and words it. A test holds the two together.

export function isSavedCooldowns(state: unknown): state is SavedCooldowns {
  return (
    isPlain(state) && isListOf(isCooldown, state['cooldowns']) && isListOf(isClearance, state['clearances'])
  );
}

function isCooldown(record: unknown): boolean {
  return (
    isPlain(record) &&
    isTarget(record['target']) &&
    typeof record['worker'] === 'string' &&
    isOneOf(COOLDOWN_KINDS, record['kind']) &&
    isInstant(record['since']) &&
    (record['until'] === null || isInstant(record['until'])) &&
    isOneOf(SOURCES, record['source']) &&
    typeof record['reason'] === 'string' &&
    typeof record['evidence'] === 'string' &&
    (record['credentials'] === undefined || typeof record['credentials'] === 'string')
  );
}

function isClearance(record: unknown): boolean {
  return (
    isPlain(record) &&
    (record['target'] === null || isTarget(record['target'])) &&
    (record['kind'] === null || isOneOf(COOLDOWN_KINDS, record['kind'])) &&
    isInstant(record['at']) &&
    isOneOf(CLEARED_BY, record['by'])
  );
}

function isTarget(target: unknown): boolean {
  if (!isPlain(target)) return false;
  switch (target['type']) {
    case 'seat':
      return typeof target['seat'] === 'string';
    case 'model':
      return typeof target['seat'] === 'string' && typeof target['model'] === 'string';
    case 'workspace':
      return typeof target['workspace'] === 'string';
    default:
      return false;
  }
}

/** The schema drops a key of this name, and so must judge whatever has it. */
function isPlain(value: unknown): value is JsonObject {
  return isObject(value) && !Object.hasOwn(value, '__proto__');
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && fromIso(value) !== undefined;
}

function isListOf(isMember: (value: unknown) => boolean, list: unknown): boolean {
  return Array.isArray(list) && list.every(isMember);
}

function isOneOf(words: readonly unknown[], value: unknown): boolean {
  return words.includes(value);
}
