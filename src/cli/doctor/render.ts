import { harmlessLine } from '../../core/harmless.ts';
import type { Style } from '../style.ts';
import { wrap } from '../wrap.ts';
import type { Examination } from './examine.ts';
import type { Finding, Level } from './finding.ts';
import { worst } from './finding.ts';

const MARKS: Readonly<Record<Level, string>> = { green: '✓', yellow: '!', red: '✗' };

/** The examination for a person, in as many columns as there are; every mark is one without colour too. */
export function renderExamination(seen: Examination, columns: number, style: Style): string {
  const lines: string[] = [];
  for (const { facts, level, findings } of seen.workers) {
    const { id, adapter } = facts.worker;
    const title = id === adapter ? id : `${id} (${adapter})`;
    lines.push(...section(title, level, findings, columns, style));
  }
  lines.push(...section('configuration', worst(seen.configuration), seen.configuration, columns, style));
  lines.push(...section('state', worst(seen.state), seen.state, columns, style));
  lines.push(...section('clock', worst(seen.clock), seen.clock, columns, style));
  lines.push(...section('node', worst(seen.node), seen.node, columns, style));
  return `${lines.join('\n')}\n\n${wrap(verdict(seen), columns, 0).join('\n')}\n`;
}

function section(
  title: string,
  level: Level,
  findings: readonly Finding[],
  columns: number,
  style: Style,
): readonly string[] {
  return [
    `${colour(style, level)(MARKS[level])} ${style.strong(title)}`,
    ...findings.flatMap((finding) => describe(finding, columns, style)),
  ];
}

function describe({ level, text, advice }: Finding, columns: number, style: Style): readonly string[] {
  const paint = level === 'green' ? (line: string) => line : colour(style, level);
  const lead = level === 'green' ? '    ' : `  ${paint(MARKS[level])} `;
  const said = wrap(harmlessLine(text), columns, 4).map(
    (line, index) => (index === 0 ? lead : '') + paint(line),
  );
  if (advice === undefined) return said;
  const todo = wrap(harmlessLine(advice), columns, 6).map(
    (line, index) => (index === 0 ? '    → ' : '') + line,
  );
  return [...said, ...todo];
}

function colour(style: Style, level: Level): (text: string) => string {
  return { green: style.good, yellow: style.warn, red: style.bad }[level];
}

/** The last line: what all that comes to, and whatever of it is not well. */
function verdict(seen: Examination): string {
  const sentences = [aboutWorkers(seen), aboutState(seen), aboutTheRest(seen)];
  const said = sentences.filter((sentence) => sentence !== undefined);
  return said.length === 0 ? 'All is well.' : said.join(' ');
}

function aboutWorkers({ workers, configurationIsWrong }: Examination): string | undefined {
  if (configurationIsWrong) return 'The configuration is wrong: nothing runs until it is corrected.';
  const able = workers.filter(({ canRun }) => canRun).length;
  if (able === 0) return 'No worker can run.';
  if (able < workers.length) return `${String(able)} of ${String(workers.length)} workers can run.`;
  const resting = workers.filter(({ facts }) => facts.cooldown !== undefined).length;
  if (resting === 0) return undefined;
  return `All workers can run; ${String(resting)} of ${String(workers.length)} ${resting === 1 ? 'rests' : 'rest'} for now.`;
}

function aboutState({ state }: Examination): string | undefined {
  return worst(state) === 'red' ? 'Nothing can be remembered: see the state above.' : undefined;
}

/** Counts what no other sentence names: not why a worker cannot run, nor that one rests. */
function aboutTheRest({ workers, configuration, state, clock, node }: Examination): string | undefined {
  const able = workers.filter(({ canRun }) => canRun);
  const rests = able.filter(({ facts }) => facts.cooldown !== undefined).length;
  const findings = [...able.flatMap((one) => one.findings), ...configuration, ...state, ...clock];
  const yellows = findings.filter(({ level }) => level === 'yellow').length - rests;
  const things = yellows + node.filter(({ level }) => level !== 'green').length;
  if (things === 0) return undefined;
  return `${String(things)} ${things === 1 ? 'thing' : 'things'} to look at.`;
}
