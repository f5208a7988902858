import type { Node, ParseError } from 'jsonc-parser';
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type * as z from 'zod';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';

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
  const [first] = errors;
  if (first !== undefined || tree === undefined) {
    const what = first === undefined ? 'the file is empty' : words(printParseErrorCode(first.error));
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
  const node = nearestNode(tree, issue.path);
  return err({ file, line: lineAt(source, node.offset), message: sentence(issue) });
}

/** Of the branches of a union the one that got furthest says best what was meant. */
function deepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const [issue] = issues;
  if (issue === undefined) throw new Error('Internal error: zod refused without an issue');
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat();
  return inner.length === 0 ? issue : { ...deepest(inner), path: [...issue.path, ...deepest(inner).path] };
}

function sentence(issue: z.core.$ZodIssue): string {
  const where = issue.path.reduce<string>(
    (path, key) =>
      typeof key === 'number'
        ? `${path}[${String(key)}]`
        : path === ''
          ? String(key)
          : `${path}.${String(key)}`,
    '',
  );
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `'${key}'`).join(', ');
    return `${where === '' ? '' : `${where}: `}unknown key ${keys}`;
  }
  return `${where === '' ? '' : `${where}: `}${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
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

/** `CloseBraceExpected` → `close brace expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
