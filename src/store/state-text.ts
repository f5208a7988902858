import type { Result } from '../core/result.ts';
import type { FileContent } from '../system/read-file.ts';
import { isIntact, sealed, unsealed } from './seal.ts';
import type { JsonObject } from './strict-json.ts';
import { isObject, parseStrictJson, parseWrittenJson, writeJson } from './strict-json.ts';

/** Whether something is a state, and if not, what is wrong with it first. */
export type StateCheck<State> = (value: unknown) => Result<State, Flaw>;

interface Flaw {
  readonly path: readonly string[];
  /** The end of a sentence. */
  readonly message: string;
}

/** What makes a text a state of ours. */
export interface StateFormat<State extends object> {
  /**
   * The version that this program writes. A change that an older program would misread raises its whole number;
   * one that it can carry along (more keys: let the check pass them) raises the fraction, or nothing.
   */
  readonly version: number;
  /** Loaded when there is something to check. It gets the state without its version, and lets unknown keys pass. */
  readonly check: () => Promise<StateCheck<State>>;
  /** Knows a sound state when it sees one, sooner than `check`, which judges what it does not know. */
  readonly isSound?: ((state: unknown) => state is State) | undefined;
  /** From an older whole number to this one. */
  readonly migrate?: ((older: JsonObject, from: number) => JsonObject) | undefined;
}

/** What was found where a state belongs. */
export type Found<State> =
  | { readonly type: 'missing' }
  | { readonly type: 'sound'; readonly state: State; readonly version: number }
  | { readonly type: 'newer'; readonly version: number }
  /** `why` is the end of a sentence. */
  | { readonly type: 'damaged'; readonly why: string };

export async function interpret<State extends object>(
  content: Exclude<FileContent, { readonly type: 'unchanged' }>,
  format: StateFormat<State>,
): Promise<Found<State>> {
  if (content.type === 'missing') return content;
  if (content.type === 'unfit') return damaged(content.why);
  const json = (isIntact(content.bytes) ? parseWrittenJson : parseStrictJson)(content.bytes);
  if (!json.ok) return damaged(json.error);
  if (!isObject(json.value)) return damaged('it is not a JSON object');
  const { version, ...state } = unsealed(json.value);
  if (typeof version !== 'number' || version < 0) return damaged('it names no version');
  const [theirs, ours] = [Math.floor(version), Math.floor(format.version)];
  if (theirs > ours) return { type: 'newer', version };
  if (theirs < ours && format.migrate === undefined)
    return damaged(`nothing ever wrote version ${String(version)}`);
  const current = theirs < ours ? format.migrate?.(state, theirs) : state;
  if (format.isSound?.(current) === true) return { type: 'sound', state: current, version };
  const checked = (await format.check())(current);
  return checked.ok
    ? { type: 'sound', state: checked.value, version }
    : damaged(`${nameOf(checked.error.path)} is wrong (${checked.error.message})`);
}

/** What to save; what a newer program of the same whole version has written keeps that program's number. */
export function render(
  state: object,
  ours: number,
  found: number | undefined,
): { readonly bytes: Uint8Array; readonly version: number } {
  const version =
    found !== undefined && Math.floor(found) === Math.floor(ours) ? Math.max(found, ours) : ours;
  return { version, bytes: sealed(new TextEncoder().encode(writeJson({ version, ...state }))) };
}

function damaged(why: string): { readonly type: 'damaged'; readonly why: string } {
  return { type: 'damaged', why };
}

function nameOf(path: readonly string[]): string {
  return path.length === 0 ? 'it' : `its '${path.join('.')}'`;
}
