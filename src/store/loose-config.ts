import { createScanner, getNodeValue, parseTree } from 'jsonc-parser';

/** What a configuration's text holds, read as far as it can be and not checked: for completion, which tells no errors. */
export function looseValue(text: string): unknown {
  const source = text.replace(/^\uFEFF/, '');
  if (tooDeepAt(source) !== undefined) return undefined;
  const tree = parseTree(source, [], { allowTrailingComma: true });
  return tree === undefined ? undefined : (getNodeValue(tree) as unknown);
}

/** Deeper than any configuration by far; what is read must not be nested deeper than the parser can go. */
export const DEEPEST_CONFIG = 64;

/** jsonc-parser 3.3, SyntaxKind. */
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, END] = [1, 2, 3, 4, 17];

/** Where a text goes deeper than that; `undefined`: nowhere. */
export function tooDeepAt(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth += 1;
    if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth -= 1;
    if (depth > DEEPEST_CONFIG) return scanner.getTokenOffset();
  }
  return undefined;
}
