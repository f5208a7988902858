import type { DurationMs } from '../../core/time.ts';
import { durationMs, SECOND } from '../../core/time.ts';
import type { CapturedLine } from '../../fleet/replay.ts';
import { readIfThere } from '../../system/input.ts';
import type { Upstream } from '../../upstream/upstream.ts';
import { childEnvironment } from '../../workers/child-environment.ts';
import { loadAdapter } from '../../workers/registry.ts';
import { recordRun } from '../record.ts';
import { environmentProblems } from './environment.ts';
import type { Judgement, ProductEvent } from './judge-run.ts';
import { judgeRun } from './judge-run.ts';
import type { LiveCase } from './live-case.ts';
import type { ProductEffects, ProductEnd } from './run-product.ts';
import { runProduct } from './run-product.ts';
import type { Stage, Target } from './stage.ts';
import { setStage, SPARE } from './stage.ts';

/** Where live tests happen. */
export interface LiveWorld extends ProductEffects {
  readonly upstream: Upstream<string>;
  /** A private folder, gone when all is over. */
  readonly folder: string;
  /** The PATH of everybody. */
  readonly path: string;
  readonly abort: AbortSignal;
  /** Takes out of a printed line who and where this is. */
  readonly clean: (line: string) => string;
  /** How long a run of secondwind is given. */
  readonly limit: DurationMs;
}

export interface CaseResult extends Judgement {
  readonly name: string;
  /** How long all of it took. */
  readonly ms: DurationMs;
  /** The time for it was up. */
  readonly timedOut: boolean;
  /** How often the provider was asked. */
  readonly calls: number;
  /** Of a failed case: what the CLI prints when the same is played to it alone. */
  readonly lines: readonly CapturedLine[];
  /** What the product itself had to say at the end of a failed case. */
  readonly stderr: readonly string[];
}

const TASK = 'Say hello to the crew.';
/** How long a run is given where nothing else is said; the slowest takes ten seconds on an idle machine. */
export const DEFAULT_LIMIT = durationMs(60 * SECOND);
/** How long a CLI is listened to once more, after its case failed: in all, and in its silence. */
const LISTEN = durationMs(30 * SECOND);
const SILENCE = durationMs(4 * SECOND);

/** Plays one case to one CLI, through the whole product. */
export async function runCase(
  one: LiveCase,
  target: Target,
  index: number,
  world: LiveWorld,
): Promise<CaseResult> {
  const { upstream, clock } = world;
  const begun = clock.monotonic();
  const lane = `${target.id}.${String(index)}`;
  upstream.play(lane, one.scenario);
  const stage = setStage({
    ...{ folder: `${world.folder}/${lane}`, target, one, path: world.path },
    ...{ url: upstream.url(lane), proxy: upstream.proxy },
  });
  const end = await play(one, target, lane, stage, world);
  const calls = upstream.calls(lane);
  const judged = judgeRun(one.expected, {
    worker: target.id,
    events: end.events,
    exitCode: end.exitCode,
    calls,
  });
  // 124 is the product's own --timeout.
  const isLate = end.timedOut || end.exitCode === 124;
  const problems = [
    ...(isLate ? ['it did not end in time and was killed'] : []),
    ...judged.problems,
    ...environmentProblems(readNote(stage.environmentFile), stage.given),
  ];
  const failed = problems.length > 0 && !world.abort.aborted;
  return {
    ...{ ...judged, problems, name: one.name, calls: calls.length, timedOut: isLate },
    lines: failed ? await listenAgain(one, target, lane, stage, world) : [],
    stderr: failed ? end.stderr.map((line) => world.clean(line)) : [],
    ms: durationMs(clock.monotonic() - begun),
  };
}

async function play(
  { expected, flags = [] }: LiveCase,
  target: Target,
  lane: string,
  stage: Stage,
  world: LiveWorld,
): Promise<ProductEnd> {
  const common = { cwd: stage.work, env: stage.env, limit: world.limit, abort: world.abort };
  const timeout = ['--timeout', String(world.limit)];
  const run = ['run', '--json', ...timeout, ...flags];
  switch (expected.type) {
    case 'goes-on': {
      // Only the worker itself, so that it is waited for.
      const args = [...run, '-w', target.id, '--on-quota', 'wait', '--max-wait', '15s', TASK];
      return runProduct({ ...common, args }, world);
    }
    case 'resumes': {
      const isTime = (events: readonly ProductEvent[]): boolean =>
        events.some(({ type }) => type === 'attempt.tool') && world.upstream.calls(lane).length >= 2;
      const args = [...run, '-w', target.id, TASK];
      const killed = await runProduct({ ...common, args, killWhen: isTime }, world);
      const session = killed.events.find(({ type }) => type === 'session.started')?.['session'];
      if (typeof session !== 'string' || killed.exitCode !== undefined) return killed;
      const again = await runProduct({ ...common, args: ['resume', session, '--json', ...timeout] }, world);
      return { ...again, events: [...killed.events, ...again.events] };
    }
    default:
      return runProduct({ ...common, args: [...run, '-w', `${target.id},${SPARE}`, TASK] }, world);
  }
}

function readNote(file: string): string {
  const note = readIfThere(file);
  return (note.ok ? note.value : undefined) ?? '';
}

/** The CLI alone, started as secondwind starts it: what it prints is what the readers had to go by. */
async function listenAgain(
  one: LiveCase,
  target: Target,
  lane: string,
  stage: Stage,
  world: LiveWorld,
): Promise<readonly CapturedLine[]> {
  world.upstream.play(lane, one.scenario);
  const { worker, env, home } = stage;
  const adapter = await loadAdapter(target.cli);
  const permissions = one.flags?.includes('full') === true ? 'full' : 'edit';
  const assignment = {
    prompt: TASK,
    permissions,
    model: undefined,
    extraArgs: [],
    resume: undefined,
  } as const;
  const command = adapter.command(assignment, worker);
  const [program, ...leading] = target.command;
  const order = {
    ...{ program, args: [...leading, ...command.args], cwd: stage.work, stdin: command.stdin },
    ...{
      env: childEnvironment(env, command.env, worker.env, home),
      quiet: SILENCE,
      limit: durationMs(Math.min(LISTEN, world.limit)),
      abort: world.abort,
    },
  };
  const recorded = await recordRun(order, world);
  if (!recorded.ok) return [];
  return recorded.value.lines.map((line) => ({ ...line, text: world.clean(line.text) }));
}
