import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { launcher } from '../../src/selftest/live/launcher.ts';
import type { LiveCli, WiringOptions } from '../../src/selftest/live/wiring.ts';
import { CLI_OF_WIRE, WIRING } from '../../src/selftest/live/wiring.ts';
import type { WireName } from '../../src/upstream/scenario.ts';

export type CliName = LiveCli;

declare module 'vitest' {
  interface ProvidedContext {
    /** How each real CLI is started, program first; found or installed before the first test. */
    clis: Readonly<Record<CliName, readonly [string, ...string[]]>>;
  }
}

/** A worker as `config.json` names it. */
export interface WorkerConfig {
  readonly id: string;
  readonly adapter: CliName;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly model?: string;
}

/** What a test says of a worker besides its scenario. */
export interface WorkerOptions extends WiringOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** Points a real CLI at `url` with a made-up login and a configuration directory of its own under `folder`. */
export function liveWorker(
  id: string,
  wire: WireName,
  { url, folder, options = {} }: { url: string; folder: string; options?: WorkerOptions },
): WorkerConfig {
  const adapter = CLI_OF_WIRE[wire];
  const home = join(folder, id);
  mkdirSync(home, { recursive: true });
  const { files, ...wired } = WIRING[adapter](url, home, options);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return {
    id,
    adapter,
    command: [...launcher(home), ...inject('clis')[adapter]],
    ...wired,
    env: { ...wired.env, ...options.env },
    args: [...wired.args, ...(options.args ?? [])],
  };
}
