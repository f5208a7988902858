/** Characters that take two columns: East Asian wide ones, and emoji that are shown as pictures. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

/** Characters that are drawn upon the one before, or not at all. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/gu;

const PLAIN = /^[\u0020-\u007e]*$/;

/** Whether each character of a text takes one column, and none of them moves a terminal. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** How many columns of a terminal a text without control characters takes. */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  return (text.replace(NO_WIDTH, '').match(/./gsu) ?? []).reduce<number>(
    (sum, one) => sum + (WIDE.test(one) ? 2 : 1),
    0,
  );
}
