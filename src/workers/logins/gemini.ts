import type { Login, LoginPlaces, LoginSeen, LoginWays } from '../login.ts';

/** What a login with a key is made of (packages/core/src/core/contentGenerator.ts, 0.61). */
const VARIABLES = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_ACCESS_TOKEN',
] as const;

/** Gemini CLI has no check of its login (0.61): its settings say how one logs in, its files and variables whether. */
export const geminiLogin: LoginWays = {
  homeVariable: 'GEMINI_CLI_HOME',
  check: undefined,
  read,
  secrets: (places) => [
    ...VARIABLES.map((name) => places.env[name]),
    selectedType(places),
    places.file(`${folder(places)}/oauth_creds.json`),
    places.file(`${folder(places)}/.env`),
  ],
};

/** `GEMINI_CLI_HOME` stands for the home directory, so `.gemini` lies in it. */
function folder({ env, home }: LoginPlaces): string {
  return `${env['GEMINI_CLI_HOME'] ?? home}/.gemini`;
}

/** Its settings are JSON with comments; of them one word is wanted. */
function selectedType(places: LoginPlaces): string | undefined {
  const settings = places.file(`${folder(places)}/settings.json`) ?? '';
  return /"selectedType"\s*:\s*"([^"]+)"/.exec(settings)?.[1];
}

/** `security.auth.selectedType`, else what the variables choose (getAuthTypeFromEnv, 0.61). */
function typeOf(seen: LoginSeen): string | undefined {
  const { env } = seen;
  const selected = selectedType(seen);
  if (selected !== undefined) return selected;
  if (env['GOOGLE_GENAI_USE_GCA'] === 'true') return 'oauth-personal';
  if (env['GOOGLE_GENAI_USE_VERTEXAI'] === 'true') return 'vertex-ai';
  return hasKey(seen) ? 'gemini-api-key' : undefined;
}

/** It reads variables from `.env` files too. */
function hasKey(seen: LoginSeen): boolean {
  const dotEnv = seen.file(`${folder(seen)}/.env`) ?? '';
  return (
    (seen.env['GEMINI_API_KEY'] ?? '') !== '' || /^\s*(?:export\s+)?GEMINI_API_KEY\s*=\s*\S/m.test(dotEnv)
  );
}

function read(seen: LoginSeen): Login {
  const type = typeOf(seen);
  switch (type) {
    case undefined:
      return { type: 'out', why: 'no way to log in is chosen' };
    case 'oauth-personal':
      return google(seen);
    case 'gemini-api-key':
      if (hasKey(seen)) return { type: 'in', how: 'GEMINI_API_KEY' };
      return { type: 'unknown', why: 'GEMINI_API_KEY is not set; its key may lie in a keychain' };
    default:
      return { type: 'unknown', why: `it logs in with ${type}, which cannot be looked at offline` };
  }
}

function google(seen: LoginSeen): Login {
  const how = 'Google login';
  if (seen.env['GOOGLE_CLOUD_ACCESS_TOKEN'] !== undefined) return { type: 'in', how };
  const credentials = seen.file(`${folder(seen)}/oauth_creds.json`);
  if (credentials !== undefined) {
    return credentials.includes('"refresh_token"')
      ? { type: 'in', how }
      : { type: 'out', why: 'its Google login cannot be refreshed' };
  }
  return seen.env['GEMINI_FORCE_ENCRYPTED_FILE_STORAGE'] === 'true'
    ? { type: 'unknown', why: 'its Google login is encrypted' }
    : { type: 'out', why: 'not logged in with Google' };
}
