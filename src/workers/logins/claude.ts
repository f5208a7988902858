import type { Login, LoginPlaces, LoginSeen, LoginWays } from '../login.ts';
import { isRecord, recordField, stringField } from '../json-lines.ts';

/** The variables that carry a login of Claude Code; "in -p the key is always used when present" (code.claude.com, headless). */
const VARIABLES = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'] as const;

/**
 * `claude auth status` since 2.1.41: JSON on stdout, offline, exit 0 or 1. It also prints an address, an organisation and
 * ids, of which nothing is kept. On macOS the login lies in the keychain, which is not looked into.
 */
export const claudeLogin: LoginWays = {
  homeVariable: 'CLAUDE_CONFIG_DIR',
  check: { args: ['auth', 'status'], since: '2.1.41' },
  read,
  secrets: (places) => {
    const settings = settingsIn(places);
    const env = recordField(settings, 'env');
    return [
      ...VARIABLES.map((name) => places.env[name]),
      places.file(`${folder(places)}/.credentials.json`),
      // "settings.json `env` overrides the shell value of the same variable" (env-vars, same site).
      ...VARIABLES.map((name) => stringField(env, name)),
      stringField(settings, 'apiKeyHelper'),
    ];
  },
};

function folder({ env, home }: LoginPlaces): string {
  return env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`;
}

function settingsIn(places: LoginPlaces): Readonly<Record<string, unknown>> {
  return parsed(places.file(`${folder(places)}/settings.json`) ?? '') ?? {};
}

function read({ said }: LoginSeen): Login {
  if (said === undefined) return { type: 'unknown', why: 'this version has no check of its login' };
  const status = parsed(said.text.slice(said.text.indexOf('{'), said.text.lastIndexOf('}') + 1));
  if (typeof status?.['loggedIn'] !== 'boolean') {
    return { type: 'unknown', why: 'its check of the login said nothing that we know' };
  }
  if (!status['loggedIn']) return { type: 'out', why: 'not logged in' };
  const parts = [stringField(status, 'authMethod'), stringField(status, 'subscriptionType')];
  return { type: 'in', how: parts.filter((part) => part !== undefined && part !== '').join(', ') };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
