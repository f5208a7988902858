import { createScanner, getNodeValue, parseTree } from 'jsonc-parser';
import { DEEPEST } from './strict-json.ts';

/** What a configuration's text holds, read as far as it can be and not checked: for completion, which tells no errors. */
export function looseValue(text: string): unknown {
  const source = text.replace(/^\uFEFF/, '');
  if (tooDeepAt(source) !== undefined) return undefined;
  const tree = parseTree(source, [], { allowTrailingComma: true });
  return tree === undefined ? undefined : (getNodeValue(tree) as unknown);
}

/** jsonc-parser 3.3, SyntaxKind. */
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, END] = [1, 2, 3, 4, 17];

/** Where a text is nested deeper than what we read, which the parser could not follow for ever; `undefined`: nowhere. */
export function tooDeepAt(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth += 1;
    if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth -= 1;
    if (depth > DEEPEST) return scanner.getTokenOffset();
  }
  return undefined;
}
