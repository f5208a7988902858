import * as z from 'zod';
import type { HookEvent } from '../core/hook-events.ts';
import { HOOK_EVENTS } from '../core/hook-events.ts';
import { ID_PATTERN } from '../core/ids.ts';
import { ON_QUOTA } from '../core/policy.ts';
import { parseDuration } from '../core/time.ts';
import { BALANCE_PROVIDERS, PERMISSIONS } from '../core/worker.ts';
import { quotaSettings } from './quota-config.ts';

/** The shapes of `config.json` and `secondwind.config.json`. Unknown keys are errors: a typo must not pass for a setting. */

const idOr = (notAText?: string) =>
  z
    .string(notAText)
    .regex(
      ID_PATTERN,
      'expected 1 to 64 letters, digits, dots, underscores or dashes, not beginning with a dot or dash',
    );
const id = idOr();

const duration = z
  .union([z.number().nonnegative(), z.string()], { error: noDuration })
  .transform((value, context) => {
    const parsed = parseDuration(String(value));
    if (parsed.ok) return parsed.value;
    context.issues.push({ code: 'custom', message: parsed.error, input: value });
    return z.NEVER;
  });

function noDuration({ input }: { readonly input: unknown }): string {
  if (input === undefined) return "expected a duration such as '15m', but it is missing";
  const parsed = parseDuration(typeof input === 'string' ? input : JSON.stringify(input));
  return parsed.ok ? 'expected a duration' : parsed.error;
}

/** What ends up in an argument, a variable or a command: the system knows no NUL in those. */
const text = z.string().refine((said) => !said.includes('\0'), 'expected a text without a NUL character');
const program = text.min(1);
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable');

function workerSchema(adapters: readonly string[]) {
  return z.strictObject({
    id: id.describe('What the worker is called: in --workers, in reports, in cooldown list.'),
    adapter: z.enum(adapters as [string, ...string[]]).describe('The CLI that it runs.'),
    seat: id
      .optional()
      .describe('The login that it uses. Workers on one seat share its quota. Default: a seat of its own.'),
    workspace: id
      .optional()
      .describe('The workspace whose spend cap closes all of its seats. Default: it belongs to none.'),
    model: text.min(1).optional().describe("The model to ask for. Default: the CLI's own choice."),
    command: z
      .union([program.transform((only): [string, ...string[]] => [only]), z.tuple([program], text)])
      .optional()
      .describe('The program, or a list of it and its first arguments. Default: the CLI as found on PATH.'),
    args: z.array(text).optional().describe('Arguments that the CLI is given besides.'),
    env: z
      .record(variable, text)
      .optional()
      .describe(
        'Variables of its environment, such as the folder of a second login. A leading ~/ is your home.',
      ),
    billing: z
      .enum(['subscription', 'api'])
      .optional()
      .describe('api: billed per use, and only asked with onQuota api when the others rest.'),
    balance: z
      .strictObject({
        provider: z.enum(BALANCE_PROVIDERS).describe('Who keeps the balance.'),
        keyEnv: variable.describe('The variable of the worker in which the key lies.'),
      })
      .optional()
      .describe('Where the balance that it is paid from can be asked for, free of tokens.'),
    shareTranscripts: z
      .boolean()
      .optional()
      .describe(
        'false: conversations of its seat are moved to no other seat, nor theirs to it. Default: true.',
      ),
    maxConcurrent: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('How many attempts may run on its seat at once. Default: as many as there are.'),
  });
}

/** The second of two, as the first may have been there before. */
function eachIdOnce(workers: readonly { readonly id: string }[], context: z.RefinementCtx): void {
  const ids = workers.map((worker) => worker.id);
  const repeated = ids.findIndex((name, index) => ids.indexOf(name) !== index);
  if (repeated === -1) return;
  const message = `expected a name of its own, but another worker is called '${ids[repeated] ?? ''}' too`;
  context.addIssue({ code: 'custom', path: [repeated, 'id'], message });
}

const timing = {
  patience: duration
    .optional()
    .describe('How long a CLI may retry over a throttle or a lost connection: "60s". Default: 60s.'),
  hold: duration.optional().describe('How long a busy provider is given, in total: "20m". Default: 20m.'),
  maxWait: duration
    .optional()
    .describe('The longest that onQuota wait waits: "5h". Default: for as long as it takes.'),
};

const schemaOfEditors = z
  .string()
  .optional()
  .describe('The JSON Schema by which an editor explains this file.');

const WHEN_ALL_REST = 'What to do when every worker rests: stop (exit 75), or wait for the first to be back';

/** Only the operator's file has them: a command is run as the operator. */
const hooks = z
  .strictObject(
    Object.fromEntries(
      Object.entries(HOOK_EVENTS).map(([event, when]) => [
        event,
        text.trim().min(1).optional().describe(`A command for /bin/sh, run when ${when}.`),
      ]),
    ) as Record<HookEvent, z.ZodOptional<z.ZodString>>,
  )
  .optional()
  .describe('Commands to run at an event, which they are given as one line of JSON on stdin.');

/** `config.json` in the state home: the operator's own, trusted with programs, arguments and environment. */
export function userConfigSchema(adapters: readonly string[]) {
  return z.strictObject({
    $schema: schemaOfEditors,
    workers: z
      .array(workerSchema(adapters))
      .min(1)
      .superRefine(eachIdOnce)
      .optional()
      .describe('The fleet, in the order in which it is asked. Default: every CLI that is installed.'),
    onQuota: z
      .enum(ON_QUOTA)
      .optional()
      .describe(`${WHEN_ALL_REST}, or admit workers that are billed per use (api). Default: stop.`),
    permissions: z
      .enum(PERMISSIONS)
      .optional()
      .describe('What an agent may do: read, edit files of the work tree, or full. Default: edit.'),
    ...timing,
    ...quotaSettings(id, duration),
    on: hooks,
  });
}

/**
 * What is wrong with a project's file that says what only the operator's own may: what is run, as whom, with which rights
 * and at what cost. It must not read as if the key were a typo.
 */
function notOfAProject({ keys }: { readonly keys: readonly string[] }): string | undefined {
  const known = [userConfigSchema(['any']), workerSchema(['any'])].flatMap(({ shape }) => Object.keys(shape));
  const own = keys.filter((key) => known.includes(key)).map((key) => `'${key}'`);
  if (own.length === 0) return undefined;
  return `only your own config.json may say ${own.join(', ')}; a project's file, which comes with a repository, may say workers (names), onQuota (stop or wait), maxWait, patience and hold`;
}

const nameOfWorker = idOr(
  "expected the name of a worker, in quotes; a project's file only chooses workers, and what they run is said in your own config.json",
);

/**
 * `secondwind.config.json` of a project. A cloned repository is not trusted: it chooses and orders workers and sets
 * how long to wait, and can neither name a program, nor widen permissions, nor admit workers that cost money.
 */
export const projectConfigSchema = z.strictObject(
  {
    $schema: schemaOfEditors,
    workers: z
      .array(nameOfWorker)
      .min(1)
      .optional()
      .describe('The names of the workers to ask, in this order. Default: the whole fleet.'),
    onQuota: z
      .enum(ON_QUOTA)
      .refine(
        (value) => value !== 'api',
        "expected stop or wait, as a project's file may not admit workers that are billed per use; you may, with --on-quota api",
      )
      .optional()
      .describe(`${WHEN_ALL_REST}. Default: as the user's own file says.`),
    ...timing,
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? notOfAProject(issue) : undefined) },
);

export type UserConfig = z.output<ReturnType<typeof userConfigSchema>>;
export type ProjectConfig = z.output<typeof projectConfigSchema>;
export type WorkerConfig = NonNullable<UserConfig['workers']>[number];
