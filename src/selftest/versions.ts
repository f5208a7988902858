import { readIfThere } from '../system/input.ts';
import { packageRoot } from '../system/package-root.ts';
import type { Adapter } from '../workers/adapter.ts';
import { readCaptureFacts } from './capture-file.ts';
import { fixturesIn } from './fixture.ts';

/** A release by its numbers: `2.1.197`. */
export type Release = readonly number[];

/** How an installed CLI stands to the releases that our recorded runs are of. */
export type Coverage =
  | { readonly type: 'covered' | 'newer' | 'between' | 'older'; readonly newest: string }
  /** It says no version, or we have no runs of it. */
  | { readonly type: 'unknown' };

/** The releases of an adapter's CLI that the packaged recorded runs are of, oldest first. */
export function coveredVersions({ name }: Pick<Adapter, 'name'>): readonly string[] {
  const folders = fixturesIn(`${packageRoot()}/fixtures/${name}`);
  if (!folders.ok) return [];
  const versions = folders.value.flatMap(({ folder }) => {
    const facts = readIfThere(`${folder}/capture.json`);
    const release = releaseIn(readCaptureFacts((facts.ok ? facts.value : undefined) ?? '').version ?? '');
    return release === undefined ? [] : [release.join('.')];
  });
  return [...new Set(versions)].sort((one, other) => compare(releaseIn(one) ?? [], releaseIn(other) ?? []));
}

/** `version` as the CLI prints it itself: `2.1.332 (Claude Code)`, `codex-cli 0.171.0`. */
export function coverageOf(version: string, covered: readonly string[]): Coverage {
  const release = releaseIn(version);
  const [oldest] = covered;
  const newest = covered.at(-1);
  if (release === undefined || oldest === undefined || newest === undefined) return { type: 'unknown' };
  if (covered.includes(release.join('.'))) return { type: 'covered', newest };
  if (compare(release, releaseIn(newest) ?? []) > 0) return { type: 'newer', newest };
  return { type: compare(release, releaseIn(oldest) ?? []) < 0 ? 'older' : 'between', newest };
}

/** The first three numbers with dots between them. */
export function releaseIn(text: string): Release | undefined {
  return /(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number);
}

function compare(one: Release, other: Release): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
