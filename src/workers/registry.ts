import type { Adapter } from './adapter.ts';

/**
 * Every CLI that a worker can be. The one place besides its own files where an adapter is named: one line each,
 * loaded only when a worker of it is to run. The order is the default fleet's.
 */
const LOADERS = {
  claude: async () => (await import('./adapters/claude.ts')).claude,
  codex: async () => (await import('./adapters/codex.ts')).codex,
  gemini: async () => (await import('./adapters/gemini.ts')).gemini,
} satisfies Record<string, () => Promise<Adapter>>;

export const ADAPTER_NAMES: readonly string[] = Object.keys(LOADERS);

export function isAdapterName(name: string): boolean {
  return Object.hasOwn(LOADERS, name);
}

/** `name` was checked when the configuration was read; an unknown one is a bug. */
export async function loadAdapter(name: string): Promise<Adapter> {
  if (!isAdapterName(name)) throw new Error(`Internal error: no adapter ${name}`);
  return LOADERS[name as keyof typeof LOADERS]();
}
