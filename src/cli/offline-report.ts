import { between, formatDuration, toIso } from '../core/time.ts';
import type { CaseResult, JudgedCase } from '../selftest/offline.ts';
import { hasPassed, offendingLine } from '../selftest/offline.ts';
import { describePlace, rulePlace } from '../selftest/rule-place.ts';
import { verdictJson } from '../selftest/verdict-json.ts';
import { harmlessLine } from '../core/harmless.ts';
import type { Style } from './style.ts';

const SHOWN = 300;

/** What `selftest` found, for a person: a line a case, what went wrong below its case, and the sum. */
export function offlineReport(results: readonly CaseResult[], style: Style): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  let cli = '';
  const rows: string[] = [];
  for (const result of results) {
    if (result.cli !== cli) rows.push(`${rows.length === 0 ? '' : '\n'}${style.name(result.cli)}`);
    cli = result.cli;
    rows.push(...caseRows(result, width, style));
  }
  return `${rows.join('\n')}\n\n${sum(results, style)}\n`;
}

function caseRows(result: CaseResult, width: number, style: Style): readonly string[] {
  const mark = hasPassed(result) ? style.good('✓') : style.bad('✗');
  const head = `  ${mark} ${harmlessLine(result.name).padEnd(width)}  `;
  if (result.type === 'unreadable') return [head + style.bad(harmlessLine(result.reason))];
  const row = head + told(result, style);
  const unknown = result.verdict.unknown.map(({ what, name, count }) =>
    style.warn(`      not known here: ${what} ${harmlessLine(name)} (${String(count)}×)`),
  );
  return [row, ...unknown, ...(hasPassed(result) ? [] : failureRows(result, style))];
}

/** `exhausted: rate-limit on seat, reset 2026-11-29T21:44:16Z (2h, event)  ended at line 2 of 2, after 717 ms`. */
function told({ verdict, fixture }: JudgedCase, { faint }: Style): string {
  const { outcome, signal, cooldown, actedAt, reason } = verdict;
  const { lines, startedAt } = fixture.input;
  const kind =
    signal === null
      ? outcome
      : `${signal.kind === outcome ? '' : `${outcome}: `}${signal.kind} on ${signal.scope}`;
  const reset =
    signal?.resetAt === undefined
      ? ''
      : `, reset ${toIso(signal.resetAt).replace('.000', '')} (${formatDuration(between(startedAt, signal.resetAt))}, ${signal.source})`;
  const rest =
    cooldown === null || signal?.resetAt !== undefined
      ? ''
      : cooldown.until === undefined
        ? ', rests until cleared'
        : `, no reset named: rests ${formatDuration(between(cooldown.since, cooldown.until))}`;
  const why = reason === null ? '' : `: ${harmlessLine(reason)}`;
  const of = String(lines.length);
  const acted =
    actedAt === null
      ? faint(`  ${of} lines, left alone`)
      : faint(`  ended at line ${String(actedAt.line)} of ${of}, after ${String(actedAt.t)} ms`);
  return `${kind}${reset}${rest}${why}${acted}`;
}

function failureRows(result: JudgedCase, { bad, faint }: Style): readonly string[] {
  const { cli, fixture, differences } = result;
  const offending = offendingLine(result);
  const rows = differences.map(({ path, expected, found }) =>
    bad(`${path}: expected ${json(expected)}, found ${json(found)}`),
  );
  if (offending !== undefined) {
    rows.push(`line ${String(offending.number)}: ${faint(short(offending.line.text))}`);
  }
  rows.push(`rule: ${describePlace(cli, rulePlace(cli, offending?.line))}`);
  rows.push(faint(`expected because: ${harmlessLine(fixture.why)}`));
  return rows.map((row) => `      ${row}`);
}

function sum(results: readonly CaseResult[], { good, bad }: Style): string {
  const failed = results.filter((result) => !hasPassed(result));
  const passed = `${String(results.length - failed.length)} passed`;
  return failed.length === 0
    ? `${good(passed)}, 0 failed`
    : `${passed}, ${bad(`${String(failed.length)} failed`)}: ${failed.map(({ cli, name }) => `${cli}/${name}`).join(', ')}`;
}

function json(value: unknown): string {
  return value === undefined ? 'nothing' : short(JSON.stringify(value));
}

function short(text: string): string {
  const safe = harmlessLine(text).replaceAll('\n', ' ');
  return safe.length > SHOWN ? `${safe.slice(0, SHOWN)}…` : safe;
}

/** The same for scripts (`selftest --help` describes it). */
export function offlineJson(results: readonly CaseResult[]): Record<string, unknown> {
  const failed = results.filter((result) => !hasPassed(result)).length;
  return {
    ...{ ok: failed === 0, passed: results.length - failed, failed },
    cases: results.map((result) => ({
      ...{ cli: result.cli, case: result.name, ok: hasPassed(result), groups: result.groups },
      ...(result.type === 'unreadable' ? { error: result.reason } : judgedJson(result)),
    })),
  };
}

function judgedJson(result: JudgedCase): Record<string, unknown> {
  const { cli, fixture, verdict, differences } = result;
  const offending = differences.length === 0 ? undefined : offendingLine(result);
  return {
    ...{ version: fixture.version ?? null, lines: fixture.input.lines.length, found: verdictJson(verdict) },
    differences: differences.map(({ path, expected, found }) => ({ path, expected, found: found ?? null })),
    ...(offending === undefined
      ? {}
      : { at: { line: offending.number, text: offending.line.text, ...rulePlace(cli, offending.line) } }),
  };
}
