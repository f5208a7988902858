import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { CapturedLine, ReplayVerdict } from '../fleet/replay.ts';
import { replay } from '../fleet/replay.ts';
import type { Difference } from './differences.ts';
import { differences } from './differences.ts';
import type { Fixture, FixtureFolder } from './fixture.ts';
import { fixturesIn, readFixture } from './fixture.ts';
import type { Group } from './groups.ts';
import { GROUPS, groupsOf } from './groups.ts';
import { verdictJson } from './verdict-json.ts';

/** A fixture as it was judged. */
export type CaseResult = FixtureFolder & (Judged | Unreadable);

export type JudgedCase = FixtureFolder & Judged;

interface Judged {
  readonly type: 'judged';
  readonly groups: readonly Group[];
  readonly fixture: Fixture;
  readonly verdict: ReplayVerdict;
  /** Empty when the verdict is as expected. */
  readonly differences: readonly Difference[];
}

interface Unreadable {
  readonly type: 'unreadable';
  readonly groups: readonly [];
  /** A sentence without its full stop. */
  readonly reason: string;
}

export function hasPassed(result: CaseResult): boolean {
  return result.type === 'judged' && result.differences.length === 0;
}

/** Replays the fixtures of a folder that fit the patterns. The error is the sentence to refuse with. */
export async function replayFixtures(
  folder: string,
  patterns: readonly string[],
): Promise<Result<readonly CaseResult[], string>> {
  const folders = fixturesIn(folder);
  if (!folders.ok) return err(`cannot read the fixtures in ${folder}: ${folders.error}.`);
  if (folders.value.length === 0) {
    return err(`there is no fixture in ${folder}; expected folders that hold a stream.jsonl.`);
  }
  const results = await Promise.all(folders.value.map(judgeFixture));
  const idle = patterns.find((pattern) => !results.some((result) => fits(pattern, result)));
  if (idle !== undefined) {
    return err(
      `no case fits '${idle}'; expected a part of a case's name such as claude/seat, or a group: ${Object.keys(GROUPS).join(', ')}.`,
    );
  }
  const isChosen = (result: CaseResult): boolean =>
    patterns.length === 0 || patterns.some((pattern) => fits(pattern, result));
  return ok(results.filter(isChosen));
}

export async function judgeFixture(folder: FixtureFolder): Promise<CaseResult> {
  const fixture = await readFixture(folder);
  if (!fixture.ok) return { ...folder, type: 'unreadable', groups: [], reason: fixture.error };
  const verdict = replay(fixture.value.input);
  return {
    ...folder,
    ...{ type: 'judged', groups: groupsOf(folder.name, fixture.value), fixture: fixture.value, verdict },
    differences: differences(fixture.value.expected, verdictJson(verdict)),
  };
}

/** A group fits by its whole name; else the pattern is a part of `cli/case`, in which `*` stands for anything. */
function fits(pattern: string, { cli, name, groups }: CaseResult): boolean {
  if (Object.hasOwn(GROUPS, pattern)) return groups.some((group) => group === pattern);
  const words = pattern.split('*').map((word) => word.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return new RegExp(words.join('.*')).test(`${cli}/${name}`);
}

/** The line over which a case went wrong: where it should have been acted on, else where it was, else the last. */
export function offendingLine({
  fixture,
  verdict,
}: Judged): { line: CapturedLine; number: number } | undefined {
  const { actedAt } = fixture.expected as { readonly actedAt?: { readonly line?: unknown } | null };
  const { lines } = fixture.input;
  const expected = typeof actedAt?.line === 'number' ? actedAt.line : undefined;
  const number = expected ?? verdict.actedAt?.line ?? lines.length;
  const line = lines[number - 1];
  return line === undefined ? undefined : { line, number };
}
