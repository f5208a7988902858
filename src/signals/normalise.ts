/** CSI sequences (colours, cursor), OSC sequences (hyperlinks, titles) and two-character escapes, as terminals define them. */
const ESCAPES =
  /[\u001b\u009b]\[?[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z\\-_]/g;
const OSC = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/** Removes terminal escape sequences, so that a coloured banner reads like a plain one. */
export function withoutEscapes(text: string): string {
  return text.replace(OSC, '').replace(ESCAPES, '');
}

/**
 * One spelling for what versions print differently: ASCII apostrophes (codex 0.171 prints U+2019), `·` for the bullets
 * `∙` (claude 1.0.89 to 2.0.49) and `•`, plain spaces for the narrow no-break spaces that Intl puts before AM, and no
 * line breaks, which a TUI also puts in the middle of a phrase.
 */
export function normalise(text: string): string {
  return withoutEscapes(text)
    .replace(/[\u2018\u2019\u02bc\u2032]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2219\u2022\u22c5\u30fb]/g, '\u00b7')
    .replace(/[\u2500-\u257f]/g, ' ')
    .replace(/[\s\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]+/g, ' ')
    .trim();
}
