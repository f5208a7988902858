import type { CaptureFiles } from '../selftest/capture.ts';
import type { Adapter } from '../workers/adapter.ts';
import { harmlessLine } from '../core/harmless.ts';
import { KIND_WORDS } from './kind-words.ts';
import type { Style } from './style.ts';

const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  home: ['mention of your home folder', 'mentions of your home folder'],
  folder: ['mention of the folder that it worked in', 'mentions of the folder that it worked in'],
  user: ['mention of your user name', 'mentions of your user name'],
  host: ['mention of the name of this machine', 'mentions of the name of this machine'],
  key: ['key', 'keys'],
  token: ['token', 'tokens'],
  email: ['e-mail address', 'e-mail addresses'],
  id: ['id', 'ids'],
  secret: ['secret', 'secrets'],
  cookie: ['cookie', 'cookies'],
  login: ['login in a URL', 'logins in URLs'],
};

/** What was taken out, so that a person can see that it was enough. */
export function removedReport({ removed }: CaptureFiles, { strong, faint }: Style): string {
  if (removed.length === 0) return 'Nothing in it looked like a secret or a personal detail.\n';
  const rows = removed.map(({ what, count, example }) => {
    const [one, many] = WORDS[what] ?? [what, `${what}s`];
    return `  ${String(count)} ${count === 1 ? one : many} ${faint(`(${harmlessLine(example)})`)}\n`;
  });
  return `${strong('Taken out of it:')}\n${rows.join('')}`;
}

/** Where it lies, what secondwind makes of it, and what to do with it. */
export function capturedReport(
  { verdict, isAltered, files }: CaptureFiles,
  {
    folder,
    adapter,
    directory,
  }: { readonly folder: string; readonly adapter: Adapter; readonly directory: string },
  { good, warn, strong }: Style,
): string {
  const shown = harmlessLine(
    folder.startsWith(`${directory}/`) ? `.${folder.slice(directory.length)}` : folder,
  );
  const { signal, actedAt, unknown, outcome } = verdict;
  const what = signal === null ? '' : `: ${KIND_WORDS[signal.kind]} (${harmlessLine(signal.reason)})`;
  const when = actedAt === null ? '' : `, acted on at line ${String(actedAt.line)}`;
  const strange = unknown.map(({ what: kind, name }) =>
    warn(`  not known here: ${kind} ${harmlessLine(name)}\n`),
  );
  const stream = files['stream.jsonl'] ?? '';
  const isPlain = stream !== '' && !stream.includes('"line":"{');
  return [
    `${good('Recorded')} in ${strong(shown)}; secondwind makes of it: ${outcome}${what}${when}.\n`,
    ...strange,
    stream === '' ? warn('  It printed nothing at all.\n') : '',
    isPlain
      ? warn(
          `  It printed no events: secondwind reads ${adapter.title} as 'secondwind run --dry-run' starts it.\n`,
        )
      : '',
    isAltered
      ? warn(
          '  Taking those details out changed what secondwind makes of it: please say so when you send it.\n',
        )
      : '',
    '\n',
    `  1. Read ${shown}/stream.jsonl: the task and what the agent said are still in it.\n`,
    `  2. Say in ${shown}/expected.json what you would have wanted ("why"), and change what is not that.\n`,
    `  3. secondwind selftest --fixtures ${shown}\n`,
    `  4. Send the folder: attach it to an issue of secondwind, or add it as fixtures/${adapter.name}/<name>/ in a pull request.\n`,
  ].join('');
}
