import type { Questions } from '../../system/ask.ts';
import { askOnTerminal, canAsk } from '../../system/ask.ts';
import { isThere } from '../../system/folder.ts';
import { writeOwnFile } from '../../system/new-file.ts';
import { findProgram } from '../../system/which.ts';
import { ADAPTER_NAMES, loadAdapter } from '../../workers/registry.ts';
import { EXIT } from '../exit-codes.ts';
import type { FirstConfig, FirstWorker } from '../first-config.ts';
import { firstConfig } from '../first-config.ts';
import { askForConfig, plainWorker } from '../first-questions.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { shellPath } from '../shell-word.ts';

export interface InitFlags {
  readonly yes?: boolean;
  readonly force?: boolean;
}

/**
 * `config init`: asks a few questions, or with `yes` takes what is usual, and writes a first `config.json`. Returns the
 * exit code. `person` is who can be asked; by default whoever is at the terminal, if somebody is.
 */
export async function initConfig(
  io: Io,
  { yes = false, force = false }: InitFlags,
  person: (() => Questions) | undefined = canAsk() ? askOnTerminal : undefined,
): Promise<number> {
  const path = `${io.stateHome}/config.json`;
  const message = `${path} is there already, and is left as it is; --force writes a new one over it.`;
  if (!force && isThere(path)) return refuse(io, { reason: 'usage', message });
  const adapters = await Promise.all(ADAPTER_NAMES.map(loadAdapter));
  const installed = adapters.filter(
    ({ program }) => findProgram(program, io.env['PATH'] ?? '', io.directory).type === 'found',
  );
  let chosen: FirstConfig | undefined = { workers: installed.map(plainWorker), onQuota: 'stop' };
  if (!yes) {
    if (person === undefined) {
      const found = 'expected a terminal to ask a few questions on, and this is none';
      return refuse(io, { reason: 'usage', message: `config init: ${found}; --yes takes what is usual.` });
    }
    const questions = person();
    chosen = await askForConfig(questions, installed, io.terminal.err);
    questions.close();
  }
  if (chosen === undefined) {
    io.terminal.err('\nsecondwind: interrupted; nothing was written.\n');
    return EXIT.interrupted;
  }
  const written = await writeOwnFile(path, firstConfig(chosen), { over: force });
  if (!written.ok)
    return refuse(io, { reason: 'failed', message: `cannot write ${path}: ${written.error}.` });
  if (!written.value) return refuse(io, { reason: 'usage', message });
  const { configJsonSchema } = await import('../../store/config-json-schema.ts');
  const schema = JSON.stringify(configJsonSchema('user', ADAPTER_NAMES), undefined, 2);
  // Only editors would miss it.
  await writeOwnFile(`${io.stateHome}/config.schema.json`, `${schema}\n`, { over: true });
  io.terminal.out(`Written: ${path}\n${nextSteps(chosen)}`);
  return EXIT.done;
}

function nextSteps({ workers }: FirstConfig): string {
  const logins = workers.flatMap(({ id, login }: FirstWorker) =>
    login === undefined
      ? []
      : [`  ${`log in as ${id}:`.padEnd(19)} ${login.variable}=${shellPath(login.folder)} ${login.command}`],
  );
  const steps = [
    ...logins,
    '  what it says:       secondwind config show',
    '  who would be asked: secondwind run --dry-run hello',
    "  a first task:       secondwind run 'say hello'",
  ];
  return `Next:\n${steps.join('\n')}\n`;
}
