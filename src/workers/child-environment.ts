import type { Variables } from '../system/environment.ts';

/**
 * The environment of a child: ours, then what the adapter needs, then what the worker's configuration says (in which
 * a leading `~/` means home, as in a shell). `undefined` removes a variable.
 */
export function childEnvironment(
  ours: Variables,
  adapter: Variables,
  worker: Variables,
  home: string,
): Readonly<Record<string, string>> {
  const expanded = Object.entries(worker).map(([key, value]) => [
    key,
    value === undefined ? value : expandHome(value, home),
  ]);
  const all = { ...ours, ...adapter, ...Object.fromEntries(expanded) } as Variables;
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? home + path.slice(1) : path;
}
