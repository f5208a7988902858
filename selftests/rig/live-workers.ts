import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { WireName } from '../../src/upstream/scenario.ts';

export type CliName = 'claude' | 'codex' | 'gemini';

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
export interface WorkerOptions {
  /** Claude only: a subscription (the default) gets its windows told, an API key does not. */
  readonly login?: 'subscription' | 'api-key';
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Gemini only: how often it tries by itself, ten times by default. */
  readonly maxAttempts?: number;
}

const CLI_OF_WIRE: Readonly<Record<WireName, CliName>> = {
  messages: 'claude',
  responses: 'codex',
  generateContent: 'gemini',
};

/** In a worker's home: one byte for every start of its CLI, whoever started it. */
export const STARTS_FILE = 'starts';

/** Notes the start in its first argument's file, and becomes the program that follows. */
const LAUNCHER = ['/bin/sh', '-c', 'printf . >> "$0" && exec "$@"'] as const;

/** Points a real CLI at `url` with a made-up login and a configuration directory of its own under `folder`. */
export function liveWorker(
  id: string,
  wire: WireName,
  { url, folder, options = {} }: { url: string; folder: string; options?: WorkerOptions },
): WorkerConfig {
  const adapter = CLI_OF_WIRE[wire];
  const home = join(folder, id);
  mkdirSync(home, { recursive: true });
  const wired = WIRING[adapter](url, home, options);
  return {
    id,
    adapter,
    command: [...LAUNCHER, join(home, STARTS_FILE), ...inject('clis')[adapter]],
    ...wired,
    env: { ...wired.env, ...options.env },
    args: [...wired.args, ...(options.args ?? [])],
  };
}

type Wiring = (
  url: string,
  home: string,
  options: WorkerOptions,
) => Pick<WorkerConfig, 'env' | 'args' | 'model'>;

const WIRING: Readonly<Record<CliName, Wiring>> = {
  claude: (url, home, { login = 'subscription' }) => ({
    args: [],
    env: {
      CLAUDE_CONFIG_DIR: home,
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...(login === 'subscription'
        ? { CLAUDE_CODE_OAUTH_TOKEN: 'made-up' }
        : { ANTHROPIC_API_KEY: 'made-up' }),
    },
  }),
  codex: (url, home) => ({
    args: [
      ...['-c', 'model_provider=upstream'],
      '-c',
      `model_providers.upstream={name='upstream',base_url='${url}/v1',env_key='UPSTREAM_KEY',wire_api='responses'}`,
      // Otherwise it asks GitHub for plugins and sends its makers numbers, whatever provider is set (0.171.0).
      ...['-c', 'features.plugins=false', '-c', 'analytics.enabled=false'],
    ],
    env: { CODEX_HOME: home, UPSTREAM_KEY: 'made-up' },
  }),
  gemini(url, home, { maxAttempts }) {
    mkdirSync(join(home, '.gemini'), { recursive: true });
    const settings = {
      // Without it, 0.61.0 takes a base URL for a login of its own kind, which it then refuses headless.
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, ...(maxAttempts === undefined ? {} : { maxAttempts }) },
    };
    writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    return {
      args: [],
      // A pinned model: otherwise a routing call goes first.
      model: 'gemini-2.5-pro',
      env: { GEMINI_CLI_HOME: home, GEMINI_API_KEY: 'made-up', GOOGLE_GEMINI_BASE_URL: url },
    };
  },
};
