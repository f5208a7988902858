import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Where a ChatGPT login's usage is asked for, on this machine: `GET /backend-api/wham/usage`, as codex 0.171 reads it. */
export interface UsageEndpoint {
  /** For `-c chatgpt_base_url=…`. */
  readonly url: string;
  /** How full the five-hour window is from now on. */
  usedPercent: number;
  /** When it opens, in seconds since the epoch. */
  readonly resetAt: number;
  /** How often the usage was asked for. */
  readonly asked: () => number;
}

export async function aUsageEndpoint(usedPercent: number): Promise<UsageEndpoint> {
  const resetAt = Math.floor(Date.now() / 1_000) + 3_600;
  let asked = 0;
  const window = (used: number, seconds: number, reset: number) => ({
    ...{ used_percent: used, limit_window_seconds: seconds, reset_at: reset },
    reset_after_seconds: reset - Math.floor(Date.now() / 1_000),
  });
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.includes('/wham/usage') !== true) {
      response.statusCode = 404;
      response.end('{}');
      return;
    }
    asked += 1;
    const isFull = endpoint.usedPercent >= 100;
    response.end(
      JSON.stringify({
        plan_type: 'plus',
        rate_limit: {
          ...{ allowed: !isFull, limit_reached: isFull },
          primary_window: window(endpoint.usedPercent, 18_000, resetAt),
          secondary_window: window(40, 604_800, resetAt + 86_400),
        },
        credits: null,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const endpoint = {
    ...{ url: `http://127.0.0.1:${String(port)}/backend-api/`, usedPercent, resetAt },
    asked: () => asked,
  };
  return endpoint;
}

/** A made-up ChatGPT login: tokens that nobody signed. */
export function madeUpChatGptLogin(codexHome: string): void {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { chatgpt_plan_type: 'plus', chatgpt_account_id: 'made-up', chatgpt_user_id: 'made-up' };
  const token = [
    ...[part({ alg: 'none' }), part({ exp: 4_102_444_800, 'https://api.openai.com/auth': claims })],
    part({ made: 'up' }),
  ].join('.');
  const tokens = { id_token: token, access_token: token, refresh_token: 'made-up', account_id: 'made-up' };
  const login = {
    auth_mode: 'chatgpt',
    OPENAI_API_KEY: null,
    tokens,
    last_refresh: new Date().toISOString(),
  };
  writeFileSync(join(codexHome, 'auth.json'), JSON.stringify(login), { mode: 0o600 });
}
