import type { DurationMs } from '../core/time.ts';
import { MINUTE } from '../core/time.ts';
import { childStarter } from './child.ts';
import type { Clock } from './clock.ts';
import type { Variables } from './environment.ts';
import { filtersOfRepository, quietly, SAFE } from './git.ts';

/** How a git command ended. What it says is git's own, in English. */
export type GitEnd =
  | { readonly type: 'done'; readonly out: string }
  | { readonly type: 'failed'; readonly said: string }
  /** `git` cannot be started. */
  | { readonly type: 'missing' }
  | { readonly type: 'late' }
  | { readonly type: 'stopped' }
  | { readonly type: 'too-much' }
  /** The repository names a filter that cannot be switched off, so nothing was run. */
  | { readonly type: 'not-safe' };

export interface GitCommandEffects {
  readonly clock: Clock;
  readonly env: Variables;
  readonly abort?: AbortSignal | undefined;
}

export type GitCommand = (args: readonly string[]) => Promise<GitEnd>;

/** Files that a server keeps (git-lfs) may have to come from there, which is slow. */
export const LONGEST_COMMAND = (10 * MINUTE) as DurationMs;
const MOST_PRINTED = 16 * 1024 * 1024;

/**
 * Git in a directory, for what takes long or may fail in ways that are told. As when we only look, nothing runs that the
 * repository names: neither its hooks nor its filters (`filters` says whose), while those of the user do.
 */
export async function gitIn(
  directory: string,
  effects: GitCommandEffects,
): Promise<{ readonly git: GitCommand; readonly filters: readonly string[] }> {
  const run: GitCommand = (args) => runGit([...SAFE, ...args], directory, effects);
  let first: GitEnd | undefined;
  const off = await filtersOfRepository(async (args) => {
    first = await run(args);
    return first.type === 'done' ? first.out : undefined;
  });
  if (off === undefined) {
    const why: GitEnd = first === undefined || first.type === 'done' ? { type: 'not-safe' } : first;
    return { git: () => Promise.resolve(why), filters: [] };
  }
  const filters = off.flatMap((word) => /^filter\.([^]+)\.clean=$/.exec(word)?.[1] ?? []);
  return { git: (args) => run([...off, ...args]), filters };
}

async function runGit(
  args: readonly string[],
  cwd: string,
  { clock, env, abort }: GitCommandEffects,
): Promise<GitEnd> {
  if (abort?.aborted === true) return { type: 'stopped' };
  const command = { program: 'git', args, cwd, env: quietly(env), stdin: undefined };
  const started = await childStarter(clock)(command);
  if (!started.ok) return { type: 'missing' };
  const child = started.value;
  let ended: 'late' | 'stopped' | 'too-much' | undefined;
  const end = (why: NonNullable<typeof ended>): void => {
    ended ??= why;
    void child.end();
  };
  const over = new AbortController();
  void clock.sleep(LONGEST_COMMAND, over.signal).then(() => {
    if (!over.signal.aborted) end('late');
  });
  const stop = (): void => {
    end('stopped');
  };
  abort?.addEventListener('abort', stop, { once: true });
  const printed: { readonly stdout: string[]; readonly stderr: string[] } = { stdout: [], stderr: [] };
  let size = 0;
  for await (const { channel, text } of child.lines) {
    size += text.length;
    if (size <= MOST_PRINTED) printed[channel].push(text);
    else end('too-much');
  }
  const { code } = await child.exited;
  abort?.removeEventListener('abort', stop);
  over.abort();
  if (ended !== undefined) return { type: ended };
  if (code === 0) return { type: 'done', out: printed.stdout.join('\n') };
  return { type: 'failed', said: complaint(printed.stderr) };
}

/** What git gives as the reason, without the progress before it and the advice after. */
function complaint(lines: readonly string[]): string {
  const reasons = lines.flatMap((line) => /^(?:fatal|error): (.*)$/.exec(line)?.[1] ?? []);
  return (reasons.length > 0 ? reasons.slice(0, 3).join('; ') : (lines.at(-1) ?? '')).trim();
}

/** What makes git look at another repository than that of the directory it is in: a hook's environment has all of it. */
const PLACES = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX', 'GIT_NAMESPACE'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_QUARANTINE_PATH'],
];

/** An environment in which git takes the repository of the directory that it is in. */
export function withoutGitPlaces(env: Variables): Variables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !PLACES.includes(name)));
}
