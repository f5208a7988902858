import type { Node, ParseError } from 'jsonc-parser';
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type * as z from 'zod';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { anyOf, didYouMean } from '../core/similar.ts';
import { keysAt } from './schema-keys.ts';

/** What is wrong with a configuration file, for people: where, and what was expected. */
export interface ConfigProblem {
  readonly file: string;
  readonly line: number | undefined;
  readonly message: string;
}

/** Reads one configuration file's text: JSON with comments and trailing commas, checked against its schema. */
export function readConfig<Schema extends z.ZodType>(
  file: string,
  text: string,
  schema: Schema,
): Result<z.output<Schema>, ConfigProblem> {
  const errors: ParseError[] = [];
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
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
  const checked = schema.safeParse(getNodeValue(tree));
  if (checked.success) return ok(checked.data);
  const issue = deepest(checked.error.issues);
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const node = nearestNode(tree, unknown === undefined ? issue.path : [...issue.path, unknown]);
  return err({
    file,
    line: lineAt(source, node.offset),
    message: sentence(issue, schema, valueAt(tree, issue.path)),
  });
}

/** What a configuration's text holds, read as far as it can be and not checked: for completion, which tells no errors. */
export function looseValue(text: string): unknown {
  const tree = parseTree(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  return tree === undefined ? undefined : (getNodeValue(tree) as unknown);
}

/** Of the branches of a union, and of a key's own faults, the one that got furthest says best what was meant. */
function deepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const [issue] = issues;
  if (issue === undefined) throw new Error('Internal error: zod refused without an issue');
  // A union that says itself what was expected says it best.
  if (issue.code === 'invalid_union' && issue.message !== 'Invalid input') return issue;
  const inner =
    issue.code === 'invalid_union' ? issue.errors : issue.code === 'invalid_key' ? [issue.issues] : [];
  const [furthest] = inner
    .filter((branch) => branch.length > 0)
    .map(deepest)
    .sort((a, b) => b.path.length - a.path.length);
  return furthest === undefined ? issue : { ...furthest, path: [...issue.path, ...furthest.path] };
}

function valueAt(tree: Node, path: readonly PropertyKey[]): unknown {
  const node = findNodeAtLocation(tree, [...path] as (string | number)[]);
  return node === undefined ? undefined : (getNodeValue(node) as unknown);
}

function sentence(issue: z.core.$ZodIssue, schema: z.ZodType, found: unknown): string {
  const where = issue.path.reduce<string>(
    (path, key) =>
      typeof key === 'number'
        ? `${path}[${String(key)}]`
        : path === ''
          ? String(key)
          : `${path}.${String(key)}`,
    '',
  );
  const lead = where === '' ? '' : `${where}: `;
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid ')) {
    const choices = issue.values.map(String);
    const said =
      typeof found === 'string' ? `'${found}'${didYouMean(found, choices)}` : JSON.stringify(found);
    return `${lead}expected ${anyOf(choices)}, but ${found === undefined ? 'it is missing' : `found ${said}`}`;
  }
  // Where the schema has no better sentence than zod's own.
  if (issue.code === 'unrecognized_keys' && issue.message.startsWith('Unrecognized key')) {
    const known = keysAt(schema, issue.path);
    const keys = issue.keys.map((key) => {
      return `'${key}'${didYouMean(key, known)}`;
    });
    const all = known.length === 0 || known.length > MOST_KEYS ? '' : `; there are ${known.join(', ')}`;
    const isClear = keys.every((key) => key.includes('('));
    return `${lead}unknown key ${keys.join(', ')}${isClear ? '' : all}`;
  }
  return `${lead}${inOurWords(issue.message)}`;
}

/** More keys than these are no help in a sentence. */
const MOST_KEYS = 16;

/** zod 4's sentences, in the words of all our others. */
function inOurWords(message: string): string {
  return message
    .replace(
      /^Invalid input: expected (\w+), received undefined$/,
      (_, type: string) => `expected ${typed(type)}, but it is missing`,
    )
    .replace(
      /^Invalid input: expected (\w+), received (\w+)$/,
      (_, type: string, found: string) => `expected ${typed(type)}, but found ${typed(found)}`,
    )
    .replace(/^Invalid (?:input|option): expected /, 'expected ')
    .replace(
      /^Too small: expected .* to have >=1 (?:items|characters)$/,
      'expected at least one, but found none',
    )
    .replace(/^Too small: expected number to be >=0$/, 'expected no negative number')
    .replace(/^Too small: expected number to be >=?(\d+)$/, 'expected a number of at least $1')
    .replace(/^Too big: expected number to be <=?(\d+)$/, 'expected a number of at most $1')
    .replace(/^Invalid input$/, 'expected something else here');
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object' },
};

function typed(type: string): string {
  return TYPES[type] ?? type;
}

/** The node that an issue's path leads to, or the innermost that is there when a key is missing. */
function nearestNode(tree: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length) as (string | number)[]);
    if (node !== undefined) return node;
  }
  return tree;
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
