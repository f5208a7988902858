import type { WireName } from '../../upstream/scenario.ts';

/** Who pays for a worker: Claude Code tells only a subscription of its windows. */
export type Login = 'subscription' | 'api-key';

/** What a CLI is pointed at an upstream with: as `config.json` says it, and the files that it wants to find at home. */
export interface Wiring {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly model?: string;
  /** By path within the home. */
  readonly files: Readonly<Record<string, string>>;
}

export interface WiringOptions {
  readonly login?: Login;
  /** Gemini only: how often it tries by itself, ten times by default. */
  readonly maxAttempts?: number;
}

export type LiveCli = 'claude' | 'codex' | 'gemini';

export const LIVE_CLIS: readonly LiveCli[] = ['claude', 'codex', 'gemini'];

export const CLI_OF_WIRE: Readonly<Record<WireName, LiveCli>> = {
  messages: 'claude',
  responses: 'codex',
  generateContent: 'gemini',
};

type Wire = (url: string, home: string, options: WiringOptions) => Wiring;

/** Points a real CLI at `url`, which is the only place it is told of, with a made-up login and a home of its own. */
export const WIRING: Readonly<Record<LiveCli, Wire>> = {
  claude: (url, home, { login = 'subscription' }) => ({
    args: [],
    files: {},
    env: {
      CLAUDE_CONFIG_DIR: home,
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // It gives root every permission only where it is told that it is shut in.
      IS_SANDBOX: '1',
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
      ...['-c', 'check_for_update_on_startup=false'],
    ],
    files: {},
    env: { CODEX_HOME: home, UPSTREAM_KEY: 'made-up' },
  }),
  gemini: (url, home, { maxAttempts }) => ({
    args: [],
    // A pinned model: otherwise a routing call goes first.
    model: 'gemini-2.5-pro',
    files: {
      '.gemini/settings.json': JSON.stringify({
        // Without it, 0.61.0 takes a base URL for a login of its own kind, which it then refuses headless.
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, ...(maxAttempts === undefined ? {} : { maxAttempts }) },
      }),
    },
    env: { GEMINI_CLI_HOME: home, GEMINI_API_KEY: 'made-up', GOOGLE_GEMINI_BASE_URL: url },
  }),
};
