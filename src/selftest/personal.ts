import { withoutSecrets } from '../signals/evidence.ts';
import { isSecretName } from '../signals/secrets.ts';

/** Whose run was captured. */
export interface Person {
  readonly home: string;
  /** Where the CLI worked. */
  readonly directory: string;
  readonly user: string | undefined;
  readonly host: string;
  /** The CLI's environment: its keys are secrets, whatever they look like. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One kind of thing that was taken out. */
export interface Removed {
  /** `home`, `folder`, `user`, `host`, `key`, `token`, `email`, `id`, `secret`, `cookie`, `login`. */
  readonly what: string;
  readonly count: number;
  /** The first of them: whole when it is no secret, else its first characters. */
  readonly example: string;
}

/** What stands where a person's own was: the names that all of our recorded runs have. */
const HOME = '/home/dev';
const FOLDER = '/home/dev/project';
const USER = 'dev';
const HOST = 'host';

/** Names that are words besides, or everybody's: taking them out would take apart what the CLI said. */
const COMMON = /^(root|user|admin|node|dev|test|home|ubuntu|runner|vscode|localhost|host|docker|build|ci)$/i;
const SHORTEST_NAME = 3;

/** Properties whose value is a secret or an id whatever it looks like. */
const SECRET_NAME =
  /^(?:.*[_-])?(?:api[_-]?key|(?:access|refresh|auth|id)?[_-]?token|secret|password|passwd|authorization|cookie)$/i;
const ID_NAME = /^(?:account|org|organi[sz]ation|user|workspace|customer|team)[_-]?(?:uuid|id)$/i;

/** Takes out of captured text what would tell who somebody is or let others in. Remembers what it took. */
export class Cleaner {
  readonly #names: readonly (readonly [pattern: RegExp, replacement: string, what: string])[];
  readonly #removed = new Map<string, Removed>();

  constructor(person: Person) {
    this.#names = namesOf(person);
  }

  /** One line as a CLI printed it: JSON stays JSON, and what needs no change stays as it is to the letter. */
  line(text: string): string {
    const value = parsed(text);
    if (value === undefined) return this.#text(text);
    const cleaned = JSON.stringify(this.#value(value, ''));
    return cleaned === JSON.stringify(value) ? text : cleaned;
  }

  get removed(): readonly Removed[] {
    return [...this.#removed.values()];
  }

  #value(value: unknown, name: string): unknown {
    if (typeof value === 'string') return this.#property(name, value);
    if (Array.isArray(value)) return value.map((element: unknown) => this.#value(element, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [this.#text(key), this.#value(inner, key)]),
    );
  }

  #property(name: string, value: string): string {
    if (value !== '' && SECRET_NAME.test(name) && /\S{6,}/.test(value))
      return this.#take('secret', value, '[secret]');
    if (value !== '' && ID_NAME.test(name)) return this.#take('id', value, '[id]');
    return this.#text(value);
  }

  #text(text: string): string {
    let left = text;
    for (const [pattern, replacement, what] of this.#names) {
      left = left.replace(pattern, (found) => this.#take(what, found, replacement));
    }
    return withoutSecrets(left, (what, found) => {
      // What was cleaned before is not found again.
      if (!found.startsWith('[')) this.#take(what, found, '');
    });
  }

  #take(what: string, found: string, put: string): string {
    const known = this.#removed.get(what);
    const example = ['home', 'folder', 'user', 'host'].includes(what)
      ? found
      : `${found.trim().slice(0, 4)}…`;
    this.#removed.set(what, { what, count: (known?.count ?? 0) + 1, example: known?.example ?? example });
    return put;
  }
}

/** Shorter values stand in too many texts by chance; a path is none. */
function secretsIn(env: Person['env']): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    isSecretName(name) && value.trim().length >= 8 && !/^(?:~|\.{1,2})?\//.test(value) ? [value.trim()] : [],
  );
}

function namesOf({
  home,
  directory,
  user,
  host,
  env,
}: Person): readonly (readonly [RegExp, string, string])[] {
  return [
    ...secretsIn(env).map((value) => [new RegExp(escaped(value), 'g'), '[secret]', 'secret'] as const),
    // The longer first: a folder is mostly in the home.
    ...(directory === '/' ? [] : pathPatterns(directory, FOLDER, 'folder')),
    ...(home === '/' ? [] : pathPatterns(home, HOME, 'home')),
    ...namePattern(host, HOST, 'host'),
    ...namePattern(host.split('.')[0] ?? '', HOST, 'host'),
    ...namePattern(user ?? '', USER, 'user'),
  ];
}

/** A path, and the name that CLIs make of one: every character that is neither letter nor digit becomes `-`. */
function pathPatterns(
  path: string,
  put: string,
  what: string,
): readonly (readonly [RegExp, string, string])[] {
  const slug = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '-');
  return [
    [new RegExp(`${escaped(path)}(?![A-Za-z0-9_])`, 'g'), put, what],
    [new RegExp(`(?<![A-Za-z0-9])${escaped(slug(path))}(?![A-Za-z0-9])`, 'g'), slug(put), what],
  ];
}

function namePattern(
  name: string,
  put: string,
  what: string,
): readonly (readonly [RegExp, string, string])[] {
  if (name.length < SHORTEST_NAME || COMMON.test(name)) return [];
  return [[new RegExp(`(?<![A-Za-z0-9])${escaped(name)}(?![A-Za-z0-9])`, 'gi'), put, what]];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);
}

function parsed(text: string): object | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
