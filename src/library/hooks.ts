import type { HookEvent } from '../core/hook-events.ts';
import type { DurationMs } from '../core/time.ts';
import { durationMs, formatDuration, SECOND } from '../core/time.ts';
import { secretRemover } from '../signals/secrets.ts';
import type { Child } from '../system/child.ts';
import { childStarter } from '../system/child.ts';
import type { Clock } from '../system/clock.ts';
import { childEnvironment } from '../workers/child-environment.ts';
import type { ToldEvent } from './event.ts';
import { eventLine } from './event-json.ts';
import { harmless } from '../core/harmless.ts';
import type { Host } from './host.ts';

/** The commands of the operator's configuration, by the event at which each is run. */
export type Hooks = Readonly<Partial<Record<HookEvent, string | undefined>>>;

/** How long one may take; then it is ended, with all that it started. */
const LONGEST = durationMs(10 * SECOND);
/** How many run at once, and how many more wait for their turn. What is beyond that is not run, and said so. */
const AT_ONCE = 4;
const MOST_WAITING = 64;
/** How long the end of a run waits for those that are at work. */
const AT_THE_END = durationMs(5 * SECOND);

/** Set for every hook: a secondwind that a hook starts runs none, or one at `session.ended` would never cease. */
const MARK = 'SECONDWIND_EVENT';

/** A hook at work. `end` ends it, and says so. */
interface Job {
  end: (why: string) => Promise<void>;
}

/** How much of what was told is remembered, so that it is told once. */
const MOST_TOLD = 1_000;

/** Where the hooks of one home run: all of its sessions share the places. */
export interface HookRoom {
  /**
   * Runs the hooks of a session's events. Nothing waits for a hook, and nothing that it does or fails to do changes the
   * run: a failure is a notice.
   */
  readonly teller: (host: Host, hooks: Hooks, directory: string) => (event: ToldEvent) => void;
  /**
   * The end of a run: lets the hooks at work finish, so that those of `session.ended` are not cut, for `within` at most.
   * What is not over by then is ended.
   */
  readonly over: (clock: Clock, within?: DurationMs) => Promise<void>;
}

export function openHooks(): HookRoom {
  const running = new Map<Job, Promise<void>>();
  const waiting: ((job: Job) => Promise<void>)[] = [];
  const told = new Set<string>();

  function fill(): void {
    while (running.size < AT_ONCE) {
      const start = waiting.shift();
      if (start === undefined) return;
      const job: Job = { end: () => Promise.resolve() };
      running.set(
        job,
        start(job).then(() => {
          running.delete(job);
          fill();
        }),
      );
    }
  }

  return {
    teller(host, hooks, directory) {
      if (host.env[MARK] !== undefined) return () => undefined;
      const startChild = childStarter(host.clock);
      return (event) => {
        const command = event.type === 'attempt.text' ? undefined : hooks[event.type];
        if (command === undefined) return;
        const note = (what: string): void => {
          const text = `the hook of ${event.type} ${what}`;
          if (told.has(`${command}\n${text}`)) return;
          if (told.size >= MOST_TOLD) told.clear();
          told.add(`${command}\n${text}`);
          host.report({ about: 'hook', message: `${text}.` });
        };
        if (waiting.length >= MOST_WAITING) {
          note('is not run at every event: there are more of them than it can follow');
          return;
        }
        const own = { SECONDWIND_SESSION: event.session, [MARK]: event.type };
        const env = childEnvironment(host.env, own, {}, host.home);
        const stdin = eventLine(event);
        waiting.push(async (job) => {
          const started = await startChild({
            program: '/bin/sh',
            args: ['-c', command],
            cwd: directory,
            env,
            stdin,
          });
          if (started.ok)
            await follow(started.value, job, { clock: host.clock, note, free: secretRemover(env) });
          else note(`could not be started: ${started.error.code}`);
        });
        fill();
      };
    },

    async over(clock, within = AT_THE_END) {
      if (running.size === 0 && waiting.length === 0) return;
      const enough = new AbortController();
      const all = (async () => {
        while (running.size > 0) await Promise.all(running.values());
        enough.abort();
      })();
      await clock.sleep(within, enough.signal);
      waiting.length = 0;
      const why = `the run is over, and it went on for more than ${formatDuration(within)} after that`;
      await Promise.all([...running.keys()].map((job) => job.end(why)));
      await all;
    },
  };
}

interface Following {
  readonly clock: Clock;
  readonly note: (what: string) => void;
  /** Takes secrets out of a text. */
  readonly free: (text: string) => string;
}

async function follow(child: Child, job: Job, { clock, note, free }: Following): Promise<void> {
  const over = new AbortController();
  const ended: string[] = [];
  job.end = (why) => {
    if (ended.push(why) === 1) note(`was ended: ${why}`);
    return child.end();
  };
  void clock.sleep(LONGEST, over.signal).then(() => {
    if (!over.signal.aborted) void job.end(`it took longer than ${formatDuration(LONGEST)}`);
  });
  let lastWords = '';
  for await (const { channel, text } of child.lines)
    if (channel === 'stderr' && text.trim() !== '') lastWords = text.trim().slice(0, 2_000);
  const { code, signal } = await child.exited;
  over.abort();
  if (code === 0 || ended.length > 0) return;
  const words = lastWords === '' ? '' : `: ${harmless(free(lastWords)).slice(0, 200)}`;
  note(`failed (${code === undefined ? String(signal) : `exit ${String(code)}`})${words}`);
}
