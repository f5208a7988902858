import { getNodeValue, parseTree } from 'jsonc-parser';

/** What a configuration's text holds, read as far as it can be and not checked: for completion, which tells no errors. */
export function looseValue(text: string): unknown {
  const tree = parseTree(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  return tree === undefined ? undefined : (getNodeValue(tree) as unknown);
}
