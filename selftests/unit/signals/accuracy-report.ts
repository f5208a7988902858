import type { Measured, Reported, Undecided } from './measure.ts';
import { measure } from './measure.ts';

/** Everything measured on a corpus, as `npm run accuracy` prints it and the regression test holds it. */
export interface Accuracy {
  readonly measured: readonly Measured[];
  /** Wrong kinds and resets that no reason excuses, and every false alarm. */
  readonly misses: readonly Measured[];
  readonly excused: readonly { readonly measured: Measured; readonly reason: string }[];
  readonly falseAlarms: number;
}

export function assess(corpus: string, undecided: readonly Undecided[]): Accuracy {
  const reported = corpus
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Reported);
  const measured = reported.flatMap((message, index) => measure(message, index + 1) ?? []);
  const wrong = measured.filter(({ kindRight, resetRight }) => !kindRight || resetRight === false);
  const reasonFor = ({ line, kindRight, falseAlarm }: Measured) =>
    falseAlarm
      ? undefined
      : undecided.find((entry) => entry.line === line && entry.what === (kindRight ? 'reset' : 'kind'))
          ?.reason;
  return {
    measured,
    misses: wrong.filter((one) => reasonFor(one) === undefined),
    excused: wrong.flatMap((one) => {
      const reason = reasonFor(one);
      return reason === undefined ? [] : [{ measured: one, reason }];
    }),
    falseAlarms: measured.filter(({ falseAlarm }) => falseAlarm).length,
  };
}

/** The table, then every miss and every excuse, as plain text. */
export function report({ measured, misses, excused, falseAlarms }: Accuracy): string {
  const decided = measured.filter(({ message }) => message.kind !== 'unknown');
  const open = measured.filter(({ message }) => message.kind === 'unknown');
  const nameOf = ({ message }: Measured) => `${message.cli.padEnd(9)} ${message.kind}`;
  const names = [...new Set(decided.map(nameOf))].sort();
  const lines = names.map(
    (name) => `${name.padEnd(30)} ${tally(decided.filter((one) => nameOf(one) === name))}`,
  );
  return [
    `${'cli       kind'.padEnd(30)} kind right   reset right   (within 60 s)`,
    ...lines,
    `${'all'.padEnd(30)} ${tally(decided)}`,
    `false alarms ${String(falseAlarms)}`,
    '',
    `misses: ${String(misses.length)}`,
    ...misses.map((miss) => `  ${describe(miss)}`),
    `excused: ${String(excused.length)}`,
    ...excused.map(({ measured: one, reason }) => `  ${describe(one)}\n    ${reason}`),
    `the reporters themselves call these undecided: ${String(open.length)}`,
    ...open.map((one) => `  ${describe(one)}`),
    '',
  ].join('\n');
}

function tally(group: readonly Measured[]): string {
  const kinds = group.filter(({ kindRight }) => kindRight).length;
  const asked = group.filter(({ resetRight }) => resetRight !== undefined);
  const resets = asked.filter(({ resetRight }) => resetRight).length;
  const kindCell = `${String(kinds)}/${String(group.length)}`.padEnd(12);
  return `${kindCell} ${asked.length === 0 ? '-' : `${String(resets)}/${String(asked.length)}`}`;
}

function describe({ line, message, got, resetGot, resetWanted, kindRight }: Measured): string {
  const iso = (instant: number | undefined) =>
    instant === undefined ? 'none' : new Date(instant).toISOString();
  const reset = kindRight ? `, reset ${iso(resetGot)} for ${iso(resetWanted)} (${message.reset})` : '';
  return `line ${String(line)} ${message.cli}: ${message.kind} read as ${got}${reset}: ${JSON.stringify(message.text.slice(0, 120))}`;
}
