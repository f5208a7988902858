import type { FileContent } from '../system/read-file.ts';
import { sealed, unsealed } from './seal.ts';
import type { JsonObject } from './strict-json.ts';
import { isObject, parseStrictJson, writeJson } from './strict-json.ts';

/** The shape of a state, checked: what a zod schema offers, of which nothing else is used. */
interface StateSchema<State> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: State }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What makes a text a state of ours. */
export interface StateFormat<State extends object> {
  /**
   * The version that this program writes. A change that an older program would misread raises its whole number;
   * one that it can carry along (more keys: let the schema pass them) raises the fraction, or nothing.
   */
  readonly version: number;
  /** Loaded when there is something to check. It gets the state without its version, and lets unknown keys pass. */
  readonly schema: () => Promise<StateSchema<State>>;
  /** Knows a sound state when it sees one, sooner than `schema`; what it does not know, `schema` judges. */
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
  const json = parseStrictJson(content.bytes);
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
  const checked = (await format.schema()).safeParse(current);
  return checked.success
    ? { type: 'sound', state: checked.data, version }
    : damaged(describeIssue(checked.error.issues[0]));
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

function describeIssue(issue: Issue | undefined): string {
  const at = issue?.path.map(String).join('.') ?? '';
  return `${at === '' ? 'it' : `its '${at}'`} is wrong (${issue?.message ?? 'unknown'})`;
}
