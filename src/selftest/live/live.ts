import type { DurationMs } from '../../core/time.ts';
import { durationMs } from '../../core/time.ts';
import type { Unknown } from '../../core/unknown.ts';
import { loadAdapter } from '../../workers/registry.ts';
import type { Coverage } from '../versions.ts';
import { coverageOf, coveredVersions } from '../versions.ts';
import { claudeCases } from './cases/claude.ts';
import { codexCases } from './cases/codex.ts';
import { geminiCases } from './cases/gemini.ts';
import { lookBefore, misdeeds } from './isolation.ts';
import type { LiveCase } from './live-case.ts';
import type { CaseResult, LiveWorld } from './run-case.ts';
import { runCase } from './run-case.ts';
import { slots } from './slots.ts';
import type { Target } from './stage.ts';
import { howItHangs, versionOf } from './version.ts';
import type { LiveCli } from './wiring.ts';

export const LIVE_CASES: Readonly<Record<LiveCli, readonly LiveCase[]>> = {
  claude: claudeCases,
  codex: codexCases,
  gemini: geminiCases,
};

export interface TargetReport {
  readonly target: Target;
  readonly version: string | undefined;
  readonly coverage: Coverage;
  /** In the order of the cases. */
  readonly results: readonly CaseResult[];
  /** Why most cases, or all, were not tried: a sentence without its full stop. */
  readonly gaveUp: string | undefined;
  /** What it did that it was given no cause to. */
  readonly misdeeds: readonly string[];
  /** What its adapter does not know, over all cases. */
  readonly unknown: readonly Unknown[];
}

export interface LiveReport {
  readonly targets: readonly TargetReport[];
  /** Hosts that somebody asked for and was not let out to. */
  readonly strays: readonly string[];
  readonly ms: DurationMs;
}

export interface LiveOptions {
  /** The home of whoever runs this: looked at for what a CLI may not do there, and never read. */
  readonly home: string;
  /** How many cases go on at once. */
  readonly width: number;
  readonly onProgress?: (target: Target, done: number, of: number) => void;
  readonly onReport?: (report: TargetReport) => void;
}

export function hasTargetPassed({ results, gaveUp, misdeeds: deeds }: TargetReport): boolean {
  return gaveUp === undefined && deeds.length === 0 && results.every(({ problems }) => problems.length === 0);
}

/** Plays every case to every CLI; one that cannot be used does not keep the others from it. */
export async function runLive(
  targets: readonly Target[],
  world: LiveWorld,
  options: LiveOptions,
): Promise<LiveReport> {
  const begun = world.clock.monotonic();
  const slot = slots(options.width);
  const reports = await Promise.all(
    targets.map(async (target) => {
      const report = await runTarget(target, world, options, slot);
      options.onReport?.(report);
      return report;
    }),
  );
  return {
    targets: reports,
    strays: [...new Set(world.upstream.strays)],
    ms: durationMs(world.clock.monotonic() - begun),
  };
}

async function runTarget(
  target: Target,
  world: LiveWorld,
  { home, onProgress }: LiveOptions,
  slot: ReturnType<typeof slots>,
): Promise<TargetReport> {
  const cases = LIVE_CASES[target.cli];
  const before = lookBefore(target, home);
  const covered = coveredVersions(await loadAdapter(target.cli));
  const said = await slot(() => versionOf(target, 'version', world));
  const results: CaseResult[] = [];
  const report = (gaveUp: string | undefined): TargetReport => ({
    target,
    version: said.ok ? said.value : undefined,
    coverage: coverageOf(said.ok ? said.value : '', covered),
    ...{ results, gaveUp, misdeeds: misdeeds(target, before, home, world.folder) },
    unknown: merged(results.flatMap(({ unknown }) => unknown)),
  });
  if (!said.ok) return report(said.error);
  const run = (one: LiveCase, index: number): Promise<CaseResult> =>
    slot(async () => {
      const result = await runCase(one, target, index, world);
      done += 1;
      onProgress?.(target, done, cases.length);
      return result;
    });
  let done = 0;
  // A CLI that cannot even do this would fail all the rest in the same way, at its slowest.
  const [healthy, ...others] = cases;
  if (healthy === undefined) return report(undefined);
  const first = await run(healthy, 0);
  results.push(first);
  const trouble = troubleOf(first);
  if (trouble !== undefined) return report(trouble);
  results.push(...(await Promise.all(others.map((one, index) => run(one, index + 1)))));
  return report(undefined);
}

/** Why there is no use in going on after a task without any refusal went wrong. */
function troubleOf({ problems, calls, lines, timedOut }: CaseResult): string | undefined {
  if (problems.length === 0) return undefined;
  const said = lines.map(({ text }) => text.trim()).filter((text) => text !== '');
  if (calls === 0 && timedOut) return `${howItHangs(said)}, and never asked the upstream`;
  if (calls === 0) return 'it ignores the upstream: it was told of nothing else, and asked it for nothing';
  return timedOut ? howItHangs(said) : undefined;
}

function merged(unknown: readonly Unknown[]): readonly Unknown[] {
  const byName = new Map<string, Unknown>();
  for (const one of unknown) {
    const key = `${one.what} ${one.name}`;
    byName.set(key, { ...one, count: one.count + (byName.get(key)?.count ?? 0) });
  }
  return [...byName.values()];
}
