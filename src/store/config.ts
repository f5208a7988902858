import * as v from 'valibot';
import type { HookEvent } from '../core/hook-events.ts';
import { HOOK_EVENTS } from '../core/hook-events.ts';
import { ID_PATTERN } from '../core/ids.ts';
import { ON_QUOTA } from '../core/policy.ts';
import type { DurationMs } from '../core/time.ts';
import { parseDuration } from '../core/time.ts';
import { BALANCE_PROVIDERS, PERMISSIONS } from '../core/worker.ts';
import { record, strictObject } from './object-schema.ts';
import { quotaSettings } from './quota-config.ts';
import { notOneOf, oneOf, unknownKeys } from './schema-words.ts';

/** The shapes of `config.json` and `secondwind.config.json`. Unknown keys are errors: a typo must not pass for a setting. */

const idOr = (notAText?: string) =>
  v.pipe(
    v.string(notAText),
    v.regex(
      ID_PATTERN,
      'expected 1 to 64 letters, digits, dots, underscores or dashes, not beginning with a dot or dash',
    ),
  );
const id = idOr();

/** It explains itself before it is read, as what is written in a file is what an editor explains. */
const duration = (explanation: string): v.GenericSchema<number | string, DurationMs> =>
  v.pipe(
    v.union([v.pipe(v.number(noDuration), v.minValue(0)), v.string(noDuration)]),
    v.description(explanation),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const parsed = parseDuration(String(dataset.value));
      if (parsed.ok) return parsed.value;
      addIssue({ message: parsed.error });
      return NEVER;
    }),
  );

function noDuration({ input }: { readonly input: unknown }): string {
  if (input === undefined) return "expected a duration such as '15m', but it is missing";
  const parsed = parseDuration(typeof input === 'string' ? input : JSON.stringify(input));
  return parsed.ok ? 'expected a duration' : parsed.error;
}

/** What ends up in an argument, a variable or a command: the system knows no NUL in those. */
const text = v.pipe(
  v.string(),
  v.check((said) => !said.includes('\0'), 'expected a text without a NUL character'),
);
const someText = v.pipe(text, v.minLength(1));
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NO_VARIABLE =
  'expected the name of a variable (letters, digits and underscores, not beginning with a digit)';

const explained = <const Schema extends v.GenericSchema>(schema: Schema, explanation: string) =>
  v.pipe(schema, v.description(explanation));
const maybe = <const Schema extends v.GenericSchema>(schema: Schema, explanation: string) =>
  v.optional(explained(schema, explanation));

function workerSchema(adapters: readonly string[]) {
  return strictObject({
    id: explained(id, 'What the worker is called: in --workers, in reports, in cooldown list.'),
    adapter: explained(oneOf(adapters), 'The CLI that it runs.'),
    seat: maybe(
      id,
      'The login that it uses. Workers on one seat share its quota. Default: a seat of its own.',
    ),
    workspace: maybe(
      id,
      'The workspace whose spend cap closes all of its seats. Default: it belongs to none.',
    ),
    model: maybe(someText, "The model to ask for. Default: the CLI's own choice."),
    command: maybe(
      v.union([
        v.pipe(
          someText,
          v.transform((only): [string, ...string[]] => [only]),
        ),
        v.tupleWithRest([someText], text),
      ]),
      'The program, or a list of it and its first arguments. Default: the CLI as found on PATH.',
    ),
    args: maybe(v.array(text), 'Arguments that the CLI is given besides.'),
    env: maybe(
      record(VARIABLE, (name) => `${NO_VARIABLE}, but found '${name}'`, text),
      'Variables of its environment, such as the folder of a second login. A leading ~/ is your home.',
    ),
    billing: maybe(
      oneOf(['subscription', 'api']),
      'api: billed per use, and only asked with onQuota api when the others rest.',
    ),
    balance: maybe(
      strictObject({
        provider: explained(oneOf(BALANCE_PROVIDERS), 'Who keeps the balance.'),
        keyEnv: explained(
          // Without what was found: it may be the key itself, put where only its name belongs.
          v.pipe(v.string(), v.regex(VARIABLE, NO_VARIABLE)),
          'The variable of the worker in which the key lies.',
        ),
      }),
      'Where the balance that it is paid from can be asked for, free of tokens.',
    ),
    shareTranscripts: maybe(
      v.boolean(),
      'false: conversations of its seat are moved to no other seat, nor theirs to it. Default: true.',
    ),
    maxConcurrent: maybe(
      v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
      'How many attempts may run on its seat at once. Default: as many as there are.',
    ),
  });
}

/** The second of two, as the first may have been there before. */
function eachIdOnce<Worker extends { readonly id: string }>({
  dataset,
  addIssue,
}: v.RawCheckContext<Worker[]>): void {
  if (!dataset.typed) return;
  const workers = dataset.value;
  const ids = workers.map((worker) => worker.id);
  const key = ids.findIndex((name, index) => ids.indexOf(name) !== index);
  const value = workers[key];
  if (value === undefined) return;
  addIssue({
    message: `expected a name of its own, but another worker is called '${value.id}' too`,
    path: [
      { type: 'array', origin: 'value', input: workers, key, value },
      { type: 'object', origin: 'value', input: { ...value }, key: 'id', value: value.id },
    ],
  });
}

const timing = {
  patience: v.optional(
    duration('How long a CLI may retry over a throttle or a lost connection: "60s". Default: 60s.'),
  ),
  hold: v.optional(duration('How long a busy provider is given, in total: "20m". Default: 20m.')),
  maxWait: v.optional(
    duration('The longest that onQuota wait waits: "5h". Default: for as long as it takes.'),
  ),
};

const schemaOfEditors = maybe(v.string(), 'The JSON Schema by which an editor explains this file.');

const WHEN_ALL_REST = 'What to do when every worker rests: stop (exit 75), or wait for the first to be back';

const hook = (when: string) =>
  maybe(v.pipe(text, v.trim(), v.minLength(1)), `A command for /bin/sh, run when ${when}.`);

/** Only the operator's file has them: a command is run as the operator. */
const hooks = () =>
  maybe(
    strictObject(
      Object.fromEntries(Object.entries(HOOK_EVENTS).map(([event, when]) => [event, hook(when)])) as Record<
        HookEvent,
        ReturnType<typeof hook>
      >,
    ),
    'Commands to run at an event, which they are given as one line of JSON on stdin.',
  );

/** `config.json` in the state home: the operator's own, trusted with programs, arguments and environment. */
export function userConfigSchema(adapters: readonly string[]) {
  return strictObject({
    $schema: schemaOfEditors,
    workers: maybe(
      v.pipe(v.array(workerSchema(adapters)), v.minLength(1), v.rawCheck(eachIdOnce)),
      'The fleet, in the order in which it is asked. Default: every CLI that is installed.',
    ),
    onQuota: maybe(
      oneOf(ON_QUOTA),
      `${WHEN_ALL_REST}, or admit workers that are billed per use (api). Default: stop.`,
    ),
    permissions: maybe(
      oneOf(PERMISSIONS),
      'What an agent may do: read, edit files of the work tree, or full. Default: edit.',
    ),
    ...timing,
    ...quotaSettings(id, duration),
    on: hooks(),
  });
}

/**
 * What is wrong with a project's file that says what only the operator's own may: what is run, as whom, with which rights
 * and at what cost. It must not read as if the key were a typo.
 */
function notOfAProject(keys: readonly string[], known: readonly string[]): string {
  const yours = [userConfigSchema(['any']), workerSchema(['any'])].flatMap(({ entries }) =>
    Object.keys(entries),
  );
  const own = keys.filter((key) => yours.includes(key)).map((key) => `'${key}'`);
  if (own.length === 0) return unknownKeys(keys, known);
  return `only your own config.json may say ${own.join(', ')}; a project's file, which comes with a repository, may say workers (names), onQuota (stop or wait), maxWait, patience and hold`;
}

const nameOfWorker = idOr(
  "expected the name of a worker, in quotes; a project's file only chooses workers, and what they run is said in your own config.json",
);

/**
 * `secondwind.config.json` of a project. A cloned repository is not trusted: it chooses and orders workers and sets
 * how long to wait, and can neither name a program, nor widen permissions, nor admit workers that cost money.
 */
export const projectConfigSchema = () =>
  strictObject(
    {
      $schema: schemaOfEditors,
      workers: maybe(
        v.pipe(v.array(nameOfWorker), v.minLength(1)),
        'The names of the workers to ask, in this order. Default: the whole fleet.',
      ),
      onQuota: maybe(
        v.picklist(['stop', 'wait'], ({ input }) =>
          input === 'api'
            ? "expected stop or wait, as a project's file may not admit workers that are billed per use; you may, with --on-quota api"
            : notOneOf(input, ON_QUOTA),
        ),
        `${WHEN_ALL_REST}. Default: as the user's own file says.`,
      ),
      ...timing,
    },
    notOfAProject,
  );

export type UserConfig = v.InferOutput<ReturnType<typeof userConfigSchema>>;
export type ProjectConfig = v.InferOutput<ReturnType<typeof projectConfigSchema>>;
export type WorkerConfig = NonNullable<UserConfig['workers']>[number];
