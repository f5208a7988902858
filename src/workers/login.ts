import type { Variables } from '../system/environment.ts';

/** What can be known of a login without asking the provider. */
export type Login =
  /** `how` is for people: "ChatGPT", "claude.ai, max". */
  | { readonly type: 'in'; readonly how: string }
  | { readonly type: 'out'; readonly why: string }
  /** There may be one: it lies where we do not look (a keychain), or the CLI has no way to say. */
  | { readonly type: 'unknown'; readonly why: string };

/** How one CLI's login is looked at, offline. Data and pure functions, as everything of an adapter. */
export interface LoginWays {
  /** The variable that gives its CLI another home, and so a second login. */
  readonly homeVariable: string;
  /** The CLI's own offline check, where it has one: its arguments, and the first version that knows it. */
  readonly check: { readonly args: readonly string[]; readonly since: string } | undefined;
  readonly read: (seen: LoginSeen) => Login;
  /**
   * All that a person changes by logging in: the texts of files and the values of variables. They are secret, are only
   * hashed, and never leave the process.
   */
  readonly secrets: (places: LoginPlaces) => readonly (string | undefined)[];
}

/** Where a worker's credentials lie. */
export interface LoginPlaces {
  /** The environment that the worker's CLI gets. */
  readonly env: Variables;
  readonly home: string;
  /** The text of a file; `undefined` when it is not there or may not be read. */
  readonly file: (path: string) => string | undefined;
}

export interface LoginSeen extends LoginPlaces {
  /** The extra arguments of the worker's configuration. */
  readonly args: readonly string[];
  /** What the CLI's own check printed; `undefined` when it has none, or none in this version. */
  readonly said: { readonly code: number | undefined; readonly text: string } | undefined;
}

/** Whether version `version` of a CLI is `since` or newer: `2.1.197` is newer than `2.1.41`. */
export function isSince(version: string, since: string): boolean {
  const [own, first] = [version, since].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (const [index, least] of first.entries()) {
    const part = own[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** The first thing in a CLI's words that looks like a version: "codex-cli 0.171.0", "2.1.197 (Claude Code)". */
export function versionIn(text: string): string | undefined {
  return /\b\d+\.\d+\.\d+\b/.exec(text)?.[0];
}
