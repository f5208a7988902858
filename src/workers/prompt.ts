/**
 * The kernel refuses a single argument of 128 KiB or more (MAX_ARG_STRLEN in Linux's binfmts.h; macOS limits all of
 * them together), so a longer prompt goes through stdin.
 */
const LONGEST_ARGUMENT_BYTES = 96 * 1024;

export interface PromptWays {
  /** The arguments that carry a short prompt, safe for one that begins with a dash. */
  argument(prompt: string): readonly string[];
  /** The arguments that tell the CLI to read it from stdin. */
  readonly viaStdin: readonly string[];
}

export function promptBy(
  prompt: string,
  ways: PromptWays,
): { readonly args: readonly string[]; readonly stdin: string | undefined } {
  // An argument ends at its first NUL: no system can pass one on, and Node refuses to try.
  return !prompt.includes('\0') && new TextEncoder().encode(prompt).length <= LONGEST_ARGUMENT_BYTES
    ? { args: ways.argument(prompt), stdin: undefined }
    : { args: ways.viaStdin, stdin: prompt };
}
