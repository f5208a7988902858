import type { Exit, Line } from '../core/line.ts';
import type { Signal } from '../core/signal.ts';
import type { Unknown } from '../core/unknown.ts';
import type { WindowsRecord } from '../signals/rollout.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import type { Permissions, Worker } from '../core/worker.ts';
import type { LoginWays } from './login.ts';
import type { QuotaWays } from './quota-answer.ts';

/** What one CLI is. Data and pure functions: an adapter never spawns, never reads a clock, never writes. */
export interface Adapter {
  /** The name in configuration, and of its folder in `fixtures/`. */
  readonly name: string;
  /** What its vendor calls it. */
  readonly title: string;
  /** The program to look for on PATH. */
  readonly program: string;
  /** The one command that installs it. */
  readonly install: string;
  /** The one command that logs a person in. */
  readonly login: string;
  /** How its login is looked at without asking its provider. */
  readonly logins: LoginWays;
  /** How it is asked, free of tokens, how full its windows are; only some can be. */
  readonly quota?: QuotaWays;
  /** How each `--permissions` value is said to this CLI; shown by `run --help`. */
  readonly permissions: Readonly<Record<Permissions, readonly string[]>>;
  readonly command: (task: Assignment, worker: Worker) => Command;
  readonly reader: (context: ReaderContext) => Reader;
  readonly conversations: Conversations;
  /** Files in which the CLI itself notes how full its windows are, read when a refusal names no reset. */
  readonly readings?: ReadingFiles;
}

/** One piece of work as a CLI is told of it. */
export interface Assignment {
  readonly prompt: string;
  readonly permissions: Permissions;
  /** `--model`, which wins over the worker's own. */
  readonly model: string | undefined;
  /** What followed `--` on our command line. */
  readonly extraArgs: readonly string[];
  /** The CLI's own conversation to go on with, when this continues one. */
  readonly resume: string | undefined;
}

/** What to spawn. `env` is laid over the environment of secondwind itself; `undefined` removes a variable. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Written to the child's stdin, which is then closed; without it stdin is closed from the start. */
  readonly stdin: string | undefined;
}

export interface ReaderContext {
  /** The IANA zone of the child: what a time of day without a zone means. */
  readonly zone: string;
  /** The model asked for, where one was: what "this model" means. */
  readonly model: string | undefined;
}

/** Reads one attempt. It sees every line in order, then the end; it keeps bounded state and no clock. */
export interface Reader {
  push(line: Line): readonly Observation[];
  /** The whole attempt judged, once the child has gone by itself. */
  end(exit: Exit, at: EpochMs): Verdict;
  /**
   * Without which letter a line of stdout tells nothing from here on (but, as the last one, how it ended), so that it
   * need not be shown; `undefined`: any line may tell something.
   */
  readonly telling?: string | undefined;
  /** What it has met so far that it does not know. */
  unknown(): readonly Unknown[];
}

/** What one line told. */
export type Observation =
  | Conversation
  | AgentText
  | AgentTool
  | Progress
  | Finished
  | Cost
  | Retrying
  | Refused
  | WindowReading
  | Note;

/** The CLI named its conversation: what a later resume needs. */
export interface Conversation {
  readonly type: 'conversation';
  readonly id: string;
  readonly model: string | undefined;
}

/** The agent said something. Work has begun: the same prompt may not be sent again. */
export interface AgentText {
  readonly type: 'text';
  readonly text: string;
  /** A piece of a message that goes on; otherwise it is a whole one. */
  readonly delta: boolean;
}

/** The agent used a tool. Work has begun. */
export interface AgentTool {
  readonly type: 'tool';
  /** The CLI's id of this use, by which its end is matched to its start. */
  readonly id: string;
  readonly name: string;
  /** What it was used on, in one line: a command, a path. Empty on an end that does not repeat it. */
  readonly detail: string;
  readonly status: 'started' | 'done' | 'failed';
}

/** The model answered, without saying anything worth showing: retries before this one were overcome. */
export interface Progress {
  readonly type: 'progress';
}

/** The CLI says that the task is done. What it prints after this, or that it does not exit, changes nothing of that. */
export interface Finished {
  readonly type: 'finished';
}

/** What the attempt has cost so far, by the CLI's own account. */
export interface Cost {
  readonly type: 'cost';
  readonly usd: number;
}

/** The CLI met trouble and says that it retries by itself. Not evidence yet: see `watch.ts`. */
export interface Retrying {
  readonly type: 'retrying';
  /** HTTP status where the CLI says one. */
  readonly status: number | undefined;
  /** How long the CLI is going to wait before its next try. */
  readonly delayMs: DurationMs | undefined;
  /** What this is, should it not pass. Its `resetAt` is what the vendor named, never now + delay. */
  readonly signal: Signal;
}

/** A sure sign: the vendor refuses, and waiting inside the CLI does not help. The attempt ends at this line. */
export interface Refused {
  readonly type: 'refused';
  readonly signal: Signal;
}

/** One observation of a quota window, healthy or not. */
export interface WindowReading {
  readonly type: 'reading';
  /** The window by its length and model, for instance `5h`, `7d`, `7d opus`. */
  readonly window: string;
  /** 0 to 100, where the CLI says it. */
  readonly usedPercent: number | undefined;
  readonly resetAt: EpochMs | undefined;
  /** The vendor itself warns that the window is nearly full. */
  readonly warning: boolean;
}

/** Vendor chatter worth showing to a person, and worth nothing else. */
export interface Note {
  readonly type: 'note';
  readonly text: string;
}

/** How an attempt that ended by itself is judged. */
export type Verdict =
  /** The task is done; `text` is the worker's final answer. */
  | { readonly type: 'done'; readonly text: string }
  /** The vendor refused. What follows from it is the fleet's business (see `fleet/judge.ts`). */
  | { readonly type: 'refused'; readonly signal: Signal }
  /**
   * It failed for reasons of its own: a bad model, a full context, a crash. `recognised` is false when nothing we know
   * fits; `died` says that it was at work, or silent, and ended without any result or word of why; `lost` that it was to
   * go on with a conversation that its CLI does not have.
   */
  | {
      readonly type: 'failed';
      readonly reason: string;
      readonly evidence: string;
      readonly recognised: boolean;
      readonly died?: true;
      readonly lost?: true;
    };

/** Where a CLI keeps its conversations, so that one can go on under another login. */
export interface Conversations {
  /** The CLI's own home: a conversation is known to whoever has the same. */
  readonly home: (env: Readonly<Record<string, string | undefined>>, home: string) => string;
  /** How one is found in it; without this it cannot be moved to another home. */
  readonly files?: ConversationFiles;
}

export interface ConversationFiles {
  /** The folder within the CLI's home. */
  readonly folder: string;
  /** Whether a file, named by its path within the folder, holds the conversation of this id. In another home it has the same path. */
  readonly isOf: (path: string, id: string) => boolean;
}

/** Where a CLI leaves readings of its windows on disk, and how one line of them is read. */
export interface ReadingFiles {
  /** The folder to look in, from the child's environment. */
  readonly folder: (env: Readonly<Record<string, string | undefined>>, home: string) => string;
  /** Whether a file there, named by its path within the folder, holds readings. */
  readonly matches: (path: string) => boolean;
  /** What one line says; `undefined` when it is no reading. */
  readonly read: (line: string) => WindowsRecord | undefined;
}
