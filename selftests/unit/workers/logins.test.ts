import { describe, expect, it } from 'vitest';
import { isSince, versionIn } from '../../../src/workers/login.ts';
import type { Login, LoginSeen } from '../../../src/workers/login.ts';
import { claudeLogin } from '../../../src/workers/logins/claude.ts';
import { codexLogin } from '../../../src/workers/logins/codex.ts';
import { geminiLogin } from '../../../src/workers/logins/gemini.ts';

type Files = Readonly<Record<string, string>>;

function seen(overrides: Partial<LoginSeen> & { readonly files?: Files } = {}): LoginSeen {
  const { files = {}, ...rest } = overrides;
  return { env: {}, home: '/home/dev', file: (path) => files[path], args: [], said: undefined, ...rest };
}
const says = (text: string, code = 0) => ({ said: { code, text } });
const out = (why: string): Login => ({ type: 'out', why });

describe('claude auth status', () => {
  it.each<[string, Login]>([
    // As 2.1.197 prints it, whole.
    [
      '{\n  "loggedIn": false,\n  "authMethod": "none",\n  "apiProvider": "firstParty"\n}',
      out('not logged in'),
    ],
    [
      '{\n  "loggedIn": true,\n  "authMethod": "api_key",\n  "apiProvider": "firstParty",\n  "apiKeySource": "ANTHROPIC_API_KEY"\n}',
      { type: 'in', how: 'api_key' },
    ],
    [
      '{"loggedIn":true,"authMethod":"claude.ai","email":"dev@example.com","orgName":"Acme","subscriptionType":"max"}',
      { type: 'in', how: 'claude.ai, max' },
    ],
    [
      'a warning {first}\n{"loggedIn":true,"authMethod":"claude.ai"}',
      { type: 'unknown', why: 'its check of the login said nothing that we know' },
    ],
    ['error: unknown command', { type: 'unknown', why: 'its check of the login said nothing that we know' }],
  ])('%j means %j', (text, login) => {
    expect(claudeLogin.read(seen(says(text)))).toEqual(login);
  });

  it('is not asked of a version that has none', () => {
    expect(claudeLogin.read(seen()).type).toBe('unknown');
  });
});

describe('codex login status', () => {
  it.each<[string, Login]>([
    ['Not logged in', out('not logged in')],
    // 0.171 warns first, in a folder that it does not like.
    [
      '\nWARNING: proceeding, even though we could not create PATH aliases\nNot logged in\n',
      out('not logged in'),
    ],
    ['Logged in using ChatGPT', { type: 'in', how: 'ChatGPT' }],
    ['Logged in using an API key - sk-proj-***ABCDE', { type: 'in', how: 'API key' }],
    ['Logged in using Amazon Bedrock API key', { type: 'in', how: 'Amazon Bedrock API key' }],
    [
      'Error checking login status: bad json',
      { type: 'unknown', why: 'its check of the login said nothing that we know' },
    ],
  ])('%j means %j', (text, login) => {
    expect(codexLogin.read(seen(says(text, login.type === 'in' ? 0 : 1)))).toEqual(login);
  });

  it('does not know of a key in the environment, which counts all the same', () => {
    const env = { CODEX_API_KEY: 'made-up' };
    expect(codexLogin.read(seen({ env, ...says('Not logged in', 1) }))).toEqual({
      type: 'in',
      how: 'CODEX_API_KEY',
    });
  });

  it.each<[string, Partial<LoginSeen> & { readonly files?: Files }]>([
    ['an argument', { args: ['-c', 'model_provider="mine"'] }],
    ['the free models of this machine', { args: ['--oss'] }],
    [
      'its configuration',
      { files: { '/home/dev/.codex/config.toml': 'model = "x"\nmodel_provider = "mine"\n' } },
    ],
    [
      'the configuration of its own home',
      { env: { CODEX_HOME: '/c' }, files: { '/c/config.toml': 'model_provider="mine"' } },
    ],
  ])('does not count as none where %s names another provider', (_where, more) => {
    expect(codexLogin.read(seen({ ...says('Not logged in', 1), ...more })).type).toBe('unknown');
  });
});

describe("Gemini CLI's login", () => {
  const home = '/home/dev/.gemini';
  const settings = (selectedType: string): Files => ({
    [`${home}/settings.json`]: `{ // mine\n "security": { "auth": { "selectedType": "${selectedType}" } } }`,
  });
  const google = { type: 'in', how: 'Google login' } as const;

  it.each<[string, Partial<LoginSeen> & { readonly files?: Files }, Login]>([
    ['none, when nothing is chosen', {}, out('no way to log in is chosen')],
    ['a key in the environment', { env: { GEMINI_API_KEY: 'x' } }, { type: 'in', how: 'GEMINI_API_KEY' }],
    [
      'a key in a .env file',
      { files: { [`${home}/.env`]: 'export GEMINI_API_KEY=x\n' } },
      { type: 'in', how: 'GEMINI_API_KEY' },
    ],
    [
      'Google',
      { files: { ...settings('oauth-personal'), [`${home}/oauth_creds.json`]: '{"refresh_token":"x"}' } },
      google,
    ],
    [
      'Google, in another home',
      {
        env: { GEMINI_CLI_HOME: '/g', GOOGLE_GENAI_USE_GCA: 'true' },
        files: { '/g/.gemini/oauth_creds.json': '{"refresh_token":"x"}' },
      },
      google,
    ],
    ['Google, logged out', { files: settings('oauth-personal') }, out('not logged in with Google')],
    [
      'Google, without a way to refresh',
      { files: { ...settings('oauth-personal'), [`${home}/oauth_creds.json`]: '{}' } },
      out('its Google login cannot be refreshed'),
    ],
  ])('is seen as %s', (_what, at, login) => {
    expect(geminiLogin.read(seen(at))).toEqual(login);
  });

  it.each([
    ['gemini-api-key', {}],
    ['vertex-ai', {}],
    ['oauth-personal', { GEMINI_FORCE_ENCRYPTED_FILE_STORAGE: 'true' }],
  ])('is not known where it is chosen (%s) and cannot be seen', (type, env) => {
    expect(geminiLogin.read(seen({ files: settings(type), env })).type).toBe('unknown');
  });
});

describe('what changes when a person logs in', () => {
  const ways = { claude: claudeLogin, codex: codexLogin, gemini: geminiLogin } as const;

  it.each([
    ['claude', '/home/dev/.claude/.credentials.json'],
    ['codex', '/home/dev/.codex/auth.json'],
    ['gemini', '/home/dev/.gemini/oauth_creds.json'],
    ['gemini', '/home/dev/.gemini/.env'],
  ] as const)('for %s lies in %s', (cli, path) => {
    const secrets = (text: string) => ways[cli].secrets(seen({ files: { [path]: text } }));
    expect(secrets('old')).not.toEqual(secrets('new'));
    expect(secrets('old')).not.toEqual(ways[cli].secrets(seen()));
  });

  it.each([
    ['claude', 'ANTHROPIC_API_KEY'],
    ['claude', 'CLAUDE_CODE_OAUTH_TOKEN'],
    ['codex', 'CODEX_API_KEY'],
    ['gemini', 'GEMINI_API_KEY'],
  ] as const)('for %s lies in %s', (cli, name) => {
    const secrets = (value: string) => ways[cli].secrets(seen({ env: { [name]: value } }));
    expect(secrets('old')).not.toEqual(secrets('new'));
  });

  it("for claude lies in its settings' key too, and in nothing else of them", () => {
    const secrets = (settings: object) =>
      claudeLogin.secrets(seen({ files: { '/home/dev/.claude/settings.json': JSON.stringify(settings) } }));
    const before = { theme: 'dark', env: { ANTHROPIC_API_KEY: 'old' } };
    expect(secrets({ ...before, theme: 'light' })).toEqual(secrets(before));
    expect(secrets({ ...before, env: { ANTHROPIC_API_KEY: 'new' } })).not.toEqual(secrets(before));
  });
});

it.each([
  ['2.1.197', '2.1.41', true],
  ['2.1.41', '2.1.41', true],
  ['2.1.9', '2.1.41', false],
  ['2.0.77', '2.1.41', false],
  ['3.0.0', '2.1.41', true],
])('takes version %s for one since %s: %s', (version, since, answer) => {
  expect(isSince(version, since)).toBe(answer);
});

it.each([
  ['2.1.197 (Claude Code)', '2.1.197'],
  ['codex-cli 0.171.0', '0.171.0'],
  ['0.61.0\n', '0.61.0'],
  ['hello', undefined],
])('finds in %j the version %s', (text, version) => {
  expect(versionIn(text)).toBe(version);
});
