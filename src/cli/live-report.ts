import type { DurationMs } from '../core/time.ts';
import type { Unknown } from '../core/unknown.ts';
import type { CapturedLine } from '../fleet/replay.ts';
import type { LiveReport, TargetReport } from '../selftest/live/live.ts';
import { hasTargetPassed, LIVE_CASES } from '../selftest/live/live.ts';
import { expectedWords } from '../selftest/live/live-case.ts';
import type { CaseResult } from '../selftest/live/run-case.ts';
import { describePlace, rulePlace } from '../selftest/rule-place.ts';
import { evidence } from '../signals/evidence.ts';
import { harmlessLine } from '../core/harmless.ts';
import { formatSeconds } from './format.ts';
import type { Style } from './style.ts';

const MOST_LINES = 6;

/** What came of one CLI, for a person: a line a case, and below a failed one all that is needed to mend it. */
export function targetReport(report: TargetReport, style: Style): string {
  const { target, version, results, gaveUp, misdeeds, unknown } = report;
  const { name, bad, faint, warn } = style;
  const rows = [
    `${name(target.id)} ${harmlessLine(version ?? '')} ${faint(harmlessLine(target.command.join(' ')))}${newerThanKnown(report, style)}`,
  ];
  const cases = LIVE_CASES[target.cli];
  const widths = [
    Math.max(...cases.map((one) => one.name.length)),
    Math.max(...cases.map(({ expected }) => expectedWords(expected).length)),
    Math.max(0, ...results.map(({ happened }) => Math.min(happened.length, 60))),
  ] as const;
  for (const result of results) rows.push(...caseRows(result, report, widths, style));
  if (gaveUp !== undefined) {
    const left = cases.length - results.length;
    rows.push(
      `  ${bad('✗')} ${bad(harmlessLine(gaveUp))}; ${String(left)} of its ${String(cases.length)} cases were not tried`,
    );
  }
  for (const deed of misdeeds) rows.push(`  ${bad('✗')} ${bad(harmlessLine(deed))}`);
  rows.push(...unknown.map((one) => `  ${warn(`not known here: ${unknownWords(one)}`)}`));
  return `${rows.join('\n')}\n\n`;
}

function newerThanKnown({ coverage }: TargetReport, { warn }: Style): string {
  if (coverage.type !== 'newer') return '';
  return `\n  ${warn(`newer than every recorded run that secondwind was built on (${coverage.newest})`)}`;
}

function caseRows(
  result: CaseResult,
  report: TargetReport,
  [nameWidth, expectedWidth, happenedWidth]: readonly [number, number, number],
  style: Style,
): readonly string[] {
  const { good, bad, faint } = style;
  const { name, happened, reactionMs, problems } = result;
  const expected = LIVE_CASES[report.target.cli].find((one) => one.name === name)?.expected;
  const words = expected === undefined ? '' : expectedWords(expected);
  const fast = reactionMs === undefined ? '' : speed(reactionMs, happened);
  const mark = problems.length === 0 ? good('✓') : bad('✗');
  const row = `  ${mark} ${name.padEnd(nameWidth)}  ${faint(words.padEnd(expectedWidth))}  ${harmlessLine(happened).padEnd(happenedWidth)}  ${faint(fast)}`;
  return problems.length === 0 ? [row] : [row, ...failureRows(result, report, style)];
}

/** From the last refusal until the worker was gone; of a worker that did its task, how long it took. */
function speed(reactionMs: DurationMs, happened: string): string {
  const length = reactionMs < 1_000 ? `${String(Math.round(reactionMs))} ms` : formatSeconds(reactionMs);
  return happened === 'done' || happened === 'held, done' ? `in ${length}` : `gone in ${length}`;
}

function failureRows(
  { problems, lines, stderr }: CaseResult,
  { target }: TargetReport,
  { bad, faint }: Style,
): readonly string[] {
  const shown = telling(lines);
  return [
    ...problems.map((problem) => bad(`${harmlessLine(problem)}.`)),
    ...stderr.slice(-2).map((line) => faint(`secondwind said: ${harmlessLine(line)}`)),
    ...(shown.length > 0 ? ['The CLI alone, with the same provider, prints:'] : []),
    ...shown.map(({ t, channel, text }) => faint(`  ${String(t)} ms ${channel}: ${evidence(text)}`)),
    `rule: ${describePlace(target.cli, rulePlace(target.cli, shown.at(-1)))}`,
    `To report it: secondwind selftest --live ${target.id} --json > report.json, which holds these lines, without secrets and personal details.`,
  ].map((row) => `      ${row}`);
}

/** The last of them, without what a CLI says when it starts. */
function telling(lines: readonly CapturedLine[]): readonly CapturedLine[] {
  const isStart = /"type":"(?:thread\.started|turn\.started|init)"|"subtype":"init"/;
  return lines.filter(({ text }) => text.trim() !== '' && !isStart.test(text)).slice(-MOST_LINES);
}

function unknownWords({ what, name, count }: Unknown): string {
  return `${what} ${harmlessLine(name)} (${String(count)}×)`;
}

/** The sum of all, for a person. */
export function liveSum({ targets, strays, ms }: LiveReport, { good, bad, warn }: Style): string {
  const cases = targets.flatMap(({ results }) => results);
  const failed = cases.filter(({ problems }) => problems.length > 0).length;
  const untried = targets.filter(({ gaveUp }) => gaveUp !== undefined).map(({ target }) => target.id);
  const unruly = targets.filter(({ misdeeds }) => misdeeds.length > 0).map(({ target }) => target.id);
  const sum = [
    failed === 0 ? good(`${String(cases.length)} passed`) : `${String(cases.length - failed)} passed`,
    failed === 0 ? '0 failed' : bad(`${String(failed)} failed`),
    ...(untried.length === 0 ? [] : [bad(`${untried.join(' and ')} could not be tested`)]),
    ...(unruly.length === 0 ? [] : [bad(`${unruly.join(' and ')} did more than it was told`)]),
  ].join(', ');
  const stray = strays.map((host) =>
    warn(`Somebody asked for ${harmlessLine(host)}, and was not let out of this machine.\n`),
  );
  return `${stray.join('')}${sum}, in ${formatSeconds(ms)}; nothing left this machine, and no token was spent.\n`;
}

/** The same for scripts (`selftest --help` describes it). */
export function liveJson({ targets, strays, ms }: LiveReport): Record<string, unknown> {
  const cases = targets.flatMap(({ results }) => results);
  const failed = cases.filter(({ problems }) => problems.length > 0).length;
  return {
    ...{
      ok: targets.every(hasTargetPassed),
      passed: cases.length - failed,
      failed,
      durationMs: Math.round(ms),
    },
    strays,
    clis: targets.map((report) => ({
      ...{ name: report.target.id, cli: report.target.cli, command: report.target.command },
      ...{ version: report.version ?? null, coverage: report.coverage, ok: hasTargetPassed(report) },
      ...{ gaveUp: report.gaveUp ?? null, misdeeds: report.misdeeds, unknown: report.unknown },
      cases: report.results.map((result) => caseJson(result, report)),
    })),
  };
}

function caseJson(result: CaseResult, { target }: TargetReport): Record<string, unknown> {
  const { name, happened, reactionMs, ms, problems, lines, calls, unknown, stderr } = result;
  const expected = LIVE_CASES[target.cli].find((one) => one.name === name)?.expected;
  return {
    ...{ case: name, ok: problems.length === 0, happened, problems, calls, unknown },
    expected: expected === undefined ? '' : expectedWords(expected),
    reactionMs: reactionMs === undefined ? null : Math.round(reactionMs),
    durationMs: Math.round(ms),
    ...(problems.length === 0
      ? {}
      : {
          lines: lines.map(({ t, channel, text }) => ({ t, ch: channel, line: evidence(text) })),
          stderr: stderr.map((line) => evidence(line)),
          rule: rulePlace(target.cli, telling(lines).at(-1)),
        }),
  };
}
