/** Why a text is no task, in words that follow what it is or where it comes from. */
export function whyNoTask(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character; a task is text.';
  return text.trim() === '' ? 'is empty; say what is to be done.' : undefined;
}
