import type { SeatId, WorkerId } from './ids.ts';

/** What an agent may do: look only, change files of the work tree, or anything. Each adapter maps it to its CLI's flags. */
export const PERMISSIONS = ['read', 'edit', 'full'] as const;
export type Permissions = (typeof PERMISSIONS)[number];

/** How a worker is paid for: `api` workers are admitted on exhaustion only with `--on-quota api`. */
export type Billing = 'subscription' | 'api';

/** Who keeps the balance of a pay-as-you-go key, and in which variable of the worker the key lies. */
export interface Balance {
  readonly provider: (typeof BALANCE_PROVIDERS)[number];
  readonly keyEnv: string;
}
export const BALANCE_PROVIDERS = ['deepseek'] as const;

/** A named way to run a task, as it is told of: without how it is started, which may hold keys. */
export interface KnownWorker {
  readonly id: WorkerId;
  /** The name of the adapter that knows its CLI: `claude`, `codex`, `gemini`. */
  readonly adapter: string;
  readonly seat: SeatId;
  /** The workspace whose spend caps close all of its seats; most seats belong to none. */
  readonly workspace: string | undefined;
  readonly model: string | undefined;
  readonly billing: Billing | undefined;
  /** False: its seat's conversations are moved to no other seat, nor theirs to it. */
  readonly shareTranscripts?: boolean | undefined;
  /** How many attempts may run on its seat at once; `undefined`: as many as there are. */
  readonly maxConcurrent?: number | undefined;
}

/** A named way to run a task: an adapter, a seat, a model, extra arguments. */
export interface Worker extends KnownWorker {
  /** The program and its leading arguments; `undefined` means the adapter's own program found on PATH. */
  readonly command: readonly [string, ...string[]] | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where the money that it is paid from can be asked for, free of tokens. */
  readonly balance?: Balance | undefined;
}
