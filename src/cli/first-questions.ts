import { ID_PATTERN } from '../core/ids.ts';
import { ON_QUOTA } from '../core/policy.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { Questions } from '../system/ask.ts';
import type { Adapter } from '../workers/adapter.ts';
import type { FirstConfig, FirstWorker } from './first-config.ts';
import { commaList } from '../library/settings.ts';

/** Asks until the answer is one, or the person goes away (`undefined`). No answer is the usual one. */
type Put = <Answer>(
  question: string,
  usual: string,
  read: (text: string) => Result<Answer, string>,
) => Promise<Answer | undefined>;

/** Asks what a first configuration should say; `undefined` when the person went away instead. */
export async function askForConfig(
  { ask }: Pick<Questions, 'ask'>,
  installed: readonly Adapter[],
  tell: (text: string) => void,
): Promise<FirstConfig | undefined> {
  const put: Put = async (question, usual, read) => {
    for (;;) {
      const answer = await ask(`${question} [${usual}] `);
      if (answer === undefined) return undefined;
      const value = read(answer === '' ? usual : answer);
      if (value.ok) return value.value;
      tell(`${value.error}\n`);
    }
  };
  if (installed.length === 0)
    tell('No agent CLI is on your PATH yet; the fleet will be whatever is installed.\n');
  const workers = installed.length === 0 ? [] : await askForWorkers(put, installed);
  if (workers === undefined) return undefined;
  const onQuota = await put(
    'When every worker rests: stop, wait, or api (workers that cost money)?',
    'stop',
    (text) => {
      const chosen = ON_QUOTA.find((one) => one === text);
      return chosen === undefined ? err(`Expected one of ${ON_QUOTA.join(', ')}.`) : ok(chosen);
    },
  );
  return onQuota && { workers, onQuota };
}

export function plainWorker({ name }: Adapter): FirstWorker {
  return { id: name, adapter: name };
}

async function askForWorkers(
  put: Put,
  installed: readonly Adapter[],
): Promise<readonly FirstWorker[] | undefined> {
  const names = installed.map(({ name }) => name);
  const picked = await put('Which CLIs, in which order?', names.join(','), (text) => {
    const list = [...new Set(commaList(text))];
    const found = list.flatMap((name) => installed.find((one) => one.name === name) ?? []);
    return list.length > 0 && found.length === list.length
      ? ok(found)
      : err(`Expected some of ${names.join(', ')}, comma separated.`);
  });
  if (picked === undefined) return undefined;
  const again = await put('Have you a second login of one of them? Of which?', 'none', (text) => {
    const found = picked.find(({ name }) => name === text);
    if (found === undefined && text !== 'none')
      return err(`Expected none, or one of ${picked.map(({ name }) => name).join(', ')}.`);
    return ok({ found });
  });
  if (again === undefined) return undefined;
  const workers = picked.map(plainWorker);
  if (again.found === undefined) return workers;
  const second = await askForLogin(put, again.found, workers);
  if (second === undefined) return undefined;
  const place = workers.findIndex(({ adapter }) => adapter === second.adapter);
  return workers.toSpliced(place + 1, 0, second);
}

async function askForLogin(
  put: Put,
  { name, login, logins: { homeVariable } }: Adapter,
  others: readonly FirstWorker[],
): Promise<FirstWorker | undefined> {
  const id = await put('What is the worker with the second login called?', `${name}-2`, (text) => {
    if (!ID_PATTERN.test(text))
      return err('Expected letters, digits, dots, underscores or dashes, at most 64.');
    return others.some((other) => other.id === text)
      ? err(`Another worker is called ${text} already.`)
      : ok(text);
  });
  if (id === undefined) return undefined;
  const folder = await put(`In which folder does that login lie (${homeVariable})?`, `~/.${id}`, (text) =>
    /^(?:\/|~\/)/.test(text) ? ok(text) : err('Expected a path that begins with / or ~/.'),
  );
  return folder === undefined
    ? undefined
    : { id, adapter: name, login: { variable: homeVariable, folder, command: login } };
}
