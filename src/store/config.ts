import * as z from 'zod';
import { ID_PATTERN } from '../core/ids.ts';
import { ON_QUOTA } from '../core/policy.ts';
import { parseDuration } from '../core/time.ts';
import { BALANCE_PROVIDERS, PERMISSIONS } from '../core/worker.ts';

/** The shapes of `config.json` and `secondwind.config.json`. Unknown keys are errors: a typo must not pass for a setting. */

const id = z
  .string()
  .regex(
    ID_PATTERN,
    'expected 1 to 64 letters, digits, dots, underscores or dashes, not beginning with a dot or dash',
  );

const duration = z.union([z.number().nonnegative(), z.string()]).transform((value, context) => {
  const parsed = parseDuration(String(value));
  if (parsed.ok) return parsed.value;
  context.issues.push({ code: 'custom', message: parsed.error, input: value });
  return z.NEVER;
});

const program = z.string().min(1);
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable');

function workerSchema(adapters: readonly string[]) {
  return z.strictObject({
    id,
    adapter: z.enum(adapters as [string, ...string[]]),
    seat: id.optional(),
    workspace: id.optional(),
    model: z.string().min(1).optional(),
    command: z
      .union([program.transform((only): [string, ...string[]] => [only]), z.tuple([program], z.string())])
      .optional(),
    args: z.array(z.string()).optional(),
    env: z.record(variable, z.string()).optional(),
    billing: z.enum(['subscription', 'api']).optional(),
    balance: z.strictObject({ provider: z.enum(BALANCE_PROVIDERS), keyEnv: variable }).optional(),
    shareTranscripts: z.boolean().optional(),
    maxConcurrent: z.number().int().min(1).optional(),
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
  patience: duration.optional(),
  hold: duration.optional(),
  maxWait: duration.optional(),
};

/** `config.json` in the state home: the operator's own, trusted with programs, arguments and environment. */
export function userConfigSchema(adapters: readonly string[]) {
  return z.strictObject({
    $schema: z.string().optional(),
    workers: z.array(workerSchema(adapters)).min(1).superRefine(eachIdOnce).optional(),
    onQuota: z.enum(ON_QUOTA).optional(),
    permissions: z.enum(PERMISSIONS).optional(),
    ...timing,
  });
}

/**
 * `secondwind.config.json` of a project. A cloned repository is not trusted: it chooses and orders workers and sets
 * how long to wait, and can neither name a program, nor widen permissions, nor admit workers that cost money.
 */
export const projectConfigSchema = z.strictObject({
  $schema: z.string().optional(),
  workers: z.array(id).min(1).optional(),
  onQuota: z
    .enum(ON_QUOTA)
    .refine(
      (value) => value !== 'api',
      'a project may not admit workers that are billed per use; pass --on-quota api',
    )
    .optional(),
  ...timing,
});

export type UserConfig = z.output<ReturnType<typeof userConfigSchema>>;
export type ProjectConfig = z.output<typeof projectConfigSchema>;
export type WorkerConfig = NonNullable<UserConfig['workers']>[number];
