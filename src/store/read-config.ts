import type { Node, ParseError } from 'jsonc-parser';
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import * as v from 'valibot';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { tooDeepAt } from './loose-config.ts';
import { inOurWords } from './schema-words.ts';
import { TOO_DEEP } from './strict-json.ts';

/** What is wrong with a configuration file, for people: where, and what was expected. */
export interface ConfigProblem {
  readonly file: string;
  readonly line: number | undefined;
  readonly message: string;
}

/** Reads one configuration file's text: JSON with comments and trailing commas, checked against its schema. */
export function readConfig<Schema extends v.GenericSchema>(
  file: string,
  text: string,
  schema: Schema,
): Result<v.InferOutput<Schema>, ConfigProblem> {
  const errors: ParseError[] = [];
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const deep = tooDeepAt(source);
  if (deep !== undefined)
    return err({
      file,
      line: lineAt(source, deep),
      message: `expected JSON with comments, but ${TOO_DEEP}`,
    });
  const tree = parseTree(source, errors, { allowTrailingComma: true });
  if (source.trim() === '')
    return err({ file, line: 1, message: 'expected JSON with comments, but the file is empty' });
  const [first] = errors;
  if (first !== undefined || tree === undefined) {
    const what =
      first === undefined
        ? 'found none'
        : (SYNTAX[printParseErrorCode(first.error)] ?? 'found something else');
    return err({
      file,
      line: lineAt(source, first?.offset ?? 0),
      message: `expected JSON with comments, but ${what}`,
    });
  }
  const twice = findDuplicateKey(tree);
  if (twice !== undefined) {
    const message = `the key '${String(twice.value)}' stands twice; only one of them can be meant`;
    return err({ file, line: lineAt(source, twice.offset), message });
  }
  const checked = v.safeParse(schema, getNodeValue(tree), { message: inOurWords });
  if (checked.success) {
    // Among names that a person may choose, this one would be lost without a word.
    const lost = findKey(tree, '__proto__');
    if (lost === undefined) return ok(checked.output);
    return err({
      file,
      line: lineAt(source, lost.offset),
      message: "expected another name than '__proto__'",
    });
  }
  const fault = faultIn(checked.issues[0]);
  return err({
    file,
    line: lineAt(source, nearestNode(tree, fault.path).offset),
    message: sentence(fault),
  });
}

interface Fault {
  readonly type: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Of the branches of a union the one that got furthest says best what was meant. */
function faultIn({ type, path, message, issues }: v.BaseIssue<unknown>): Fault {
  const at = (path ?? []).map(({ key }) => key as string | number);
  const [furthest] = (issues ?? []).map(faultIn).sort((a, b) => b.path.length - a.path.length);
  return furthest === undefined
    ? { type, path: at, message }
    : { ...furthest, path: [...at, ...furthest.path] };
}

function sentence({ type, path, message }: Fault): string {
  // An unknown key stands in its own sentence.
  const where = (type === 'never' ? path.slice(0, -1) : path).reduce<string>(
    (before, key) =>
      typeof key === 'number' ? `${before}[${String(key)}]` : before === '' ? key : `${before}.${key}`,
    '',
  );
  return where === '' ? message : `${where}: ${message}`;
}

/** The node that a path leads to, or the innermost that is there when a key is missing. */
function nearestNode(tree: Node, path: Fault['path']): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return tree;
}

function findKey(node: Node, name: string): Node | undefined {
  const children = node.children ?? [];
  const key = node.type === 'property' && children[0]?.value === name ? children[0] : undefined;
  return key ?? children.map((child) => findKey(child, name)).find((found) => found !== undefined);
}

function findDuplicateKey(node: Node): Node | undefined {
  const children = node.children ?? [];
  if (node.type === 'object') {
    const seen = new Set<unknown>();
    for (const { children: property } of children) {
      const key = property?.[0];
      if (key === undefined) continue;
      if (seen.has(key.value)) return key;
      seen.add(key.value);
    }
  }
  for (const child of children) {
    const found = findDuplicateKey(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** What jsonc-parser 3.3 finds, as the end of a sentence. */
const SYNTAX: Readonly<Record<string, string>> = {
  InvalidSymbol: 'found a word that is none of true, false, null or a quoted text',
  InvalidNumberFormat: 'found a number that cannot be read',
  PropertyNameExpected: 'found no quoted name where one belongs',
  ValueExpected: 'found no value where one belongs',
  ColonExpected: 'found no colon after a name',
  CommaExpected: 'found no comma between two entries',
  CloseBraceExpected: 'found no closing } before the end',
  CloseBracketExpected: 'found no closing ] before the end',
  EndOfFileExpected: 'found more after the end of it',
  InvalidCommentToken: 'found a comment that cannot be read',
  UnexpectedEndOfComment: 'found a comment that does not end',
  UnexpectedEndOfString: 'found a text that does not end',
  UnexpectedEndOfNumber: 'found a number that does not end',
  InvalidUnicode: 'found a \\u that four hexadecimal digits do not follow',
  InvalidEscapeCharacter: 'found a \\ before a character that needs none',
  InvalidCharacter: 'found a control character inside a text',
};
