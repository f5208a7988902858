import type { Login, LoginPlaces, LoginSeen, LoginWays } from '../login.ts';

/** `exec` takes these before anything that is stored (codex-rs/login/src/auth/manager.rs); `login status` does not look at them. */
const VARIABLES = ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'] as const;

/** Arguments by which a worker may use a provider of its own, which needs no login with OpenAI. */
const OTHER_PROVIDER = /model_provider|^--oss$|^--local-provider|^--profile|^-p$/;

/** `codex login status`: words on stderr, offline, exit 0 or 1 (codex-rs/cli/src/login.rs, 0.171). */
export const codexLogin: LoginWays = {
  homeVariable: 'CODEX_HOME',
  check: { args: ['login', 'status'], since: '0.1.0' },
  read,
  secrets: (places) => [
    ...VARIABLES.map((name) => places.env[name]),
    places.env['OPENAI_API_KEY'],
    places.file(`${folder(places)}/auth.json`),
  ],
};

function folder({ env, home }: LoginPlaces): string {
  return env['CODEX_HOME'] ?? `${home}/.codex`;
}

function read(seen: LoginSeen): Login {
  const variable = VARIABLES.find((name) => (seen.env[name] ?? '') !== '');
  if (variable !== undefined) return { type: 'in', how: variable };
  const text = seen.said?.text ?? '';
  // "Logged in using an API key - sk-proj-***ABCDE": of the key not even that is kept.
  const how = /^Logged in using (?:an? )?([^-\n]+?)(?: - .*)?$/m.exec(text)?.[1];
  if (how !== undefined) return { type: 'in', how };
  const config = seen.file(`${folder(seen)}/config.toml`) ?? '';
  if (/^\s*model_provider\s*=/m.test(config) || seen.args.some((arg) => OTHER_PROVIDER.test(arg))) {
    return { type: 'unknown', why: 'it may use a provider that needs no login with OpenAI' };
  }
  if (/^Not logged in\b/m.test(text)) return { type: 'out', why: 'not logged in' };
  return { type: 'unknown', why: 'its check of the login said nothing that we know' };
}
