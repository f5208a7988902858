import type { Cooldown } from '../../core/cooldown.ts';
import type { Unhealthy } from '../../core/health.ts';
import { describeHealth } from '../../core/health.ts';
import type { EpochMs } from '../../core/time.ts';
import { between, formatDuration } from '../../core/time.ts';
import type { Worker } from '../../core/worker.ts';
import { coverageOf } from '../../selftest/versions.ts';
import type { Adapter } from '../../workers/adapter.ts';
import type { CliCheck } from '../../workers/cli-check.ts';
import type { QuotaAnswer } from '../../workers/quota-answer.ts';
import { harmlessLine } from '../../core/harmless.ts';
import { formatUntil } from '../format.ts';
import { restWords } from '../kind-words.ts';
import { loginCommand } from '../login-command.ts';
import type { Finding, Level } from './finding.ts';
import { green, red, worst, yellow } from './finding.ts';

/** All that was found out about one worker. */
export interface WorkerFacts {
  readonly worker: Worker;
  readonly adapter: Adapter;
  /** Where its program lies, or why it cannot be run. */
  readonly program: { readonly path: string } | { readonly missing: string };
  /** `undefined` when there is no program to ask. */
  readonly check: CliCheck | undefined;
  /** The versions of its CLI that our captures were made with. */
  readonly captured: readonly string[];
  /** The one that ends last, as the gate reads it. */
  readonly cooldown: Cooldown | undefined;
  readonly health: Unhealthy | undefined;
  /** What its provider said of its quota, where it was asked. */
  readonly quota: QuotaAnswer | undefined;
}

export interface WorkerReport {
  readonly facts: WorkerFacts;
  readonly level: Level;
  /** Whether a task could be given to it, now or when its rest is over, without anybody doing anything. */
  readonly canRun: boolean;
  readonly findings: readonly Finding[];
}

export function reportOn(facts: WorkerFacts, now: EpochMs, zone: string): WorkerReport {
  const findings = [
    ...installation(facts),
    ...login(facts),
    green(`model: ${facts.worker.model ?? "its CLI's own default"}`),
    ...cooldown(facts, now, zone),
    ...health(facts, now, zone),
    ...quota(facts, now, zone),
  ];
  const level = worst(findings);
  return { facts, level, canRun: level !== 'red', findings };
}

function installation({ worker, adapter, program, check, captured }: WorkerFacts): readonly Finding[] {
  if ('missing' in program) {
    const how =
      worker.command === undefined
        ? `install ${adapter.title}: ${adapter.install}`
        : "correct its 'command' in config.json";
    return [red(program.missing, how)];
  }
  if (check?.starts !== true) {
    return [
      red(
        `${program.path} does not run: ${check?.why ?? 'it was not asked'}`,
        `install ${adapter.title} again: ${adapter.install}`,
      ),
    ];
  }
  const { version } = check;
  const where = `${adapter.title}${version === undefined ? '' : ` ${version}`}, ${program.path}`;
  if (version === undefined) return [yellow(`${where}; it names no version that we can read`)];
  const coverage = coverageOf(version, captured);
  switch (coverage.type) {
    case 'covered':
      return [green(`${where}; our captures cover this version`)];
    case 'between':
    case 'older':
      return [green(`${where}; our newest capture is of ${coverage.newest}`)];
    case 'newer':
      return [
        yellow(
          `${where}; newer than every capture of ours (${coverage.newest})`,
          `see whether it is understood: secondwind selftest --live ${adapter.name}`,
        ),
      ];
    case 'unknown':
      return [yellow(`${where}; whether our captures cover it cannot be told`)];
  }
}

function login({ worker, adapter, check }: WorkerFacts): readonly Finding[] {
  if (check?.starts !== true) return [];
  switch (check.login.type) {
    case 'in':
      return [green(`logged in: ${check.login.how}`)];
    case 'out':
      return [red(check.login.why, `log in: ${loginCommand(adapter, worker)}`)];
    case 'unknown':
      return [
        yellow(
          `its login is not known: ${check.login.why}`,
          `see whether it works: secondwind run -w ${worker.id} 'say hello'; if not, log in: ${loginCommand(adapter, worker)}`,
        ),
      ];
  }
}

function cooldown(
  { worker, adapter, cooldown: rest }: WorkerFacts,
  now: EpochMs,
  zone: string,
): readonly Finding[] {
  if (rest === undefined) return [];
  const { target, kind, reason, since, until, source } = rest;
  const model = target.type === 'model' ? ` for model ${target.model}` : '';
  const byHand = source === 'operator';
  const why = restWords(kind, byHand ? reason : `${reason}, ${source}`, byHand);
  const lead = byHand ? '' : `rests${model}: `;
  const text = harmlessLine(`${lead}${why}, ${formatUntil(until, now, zone)}; it began ${ago(since, now)}`);
  const clear = `secondwind cooldown clear ${worker.id}`;
  if (kind === 'auth-failure' && source !== 'operator')
    return [red(text, `log in again: ${loginCommand(adapter, worker)}; or: ${clear}`)];
  if (until === undefined) return [red(text, `when that is mended: ${clear}`)];
  return [yellow(text, `if that is wrong: ${clear}`)];
}

function health({ health: trouble }: WorkerFacts, now: EpochMs, zone: string): readonly Finding[] {
  if (trouble === undefined) return [];
  const text = `unhealthy: ${describeHealth(trouble)}, the last ${ago(trouble.at, now)}, ${formatUntil(trouble.until, now, zone)}`;
  return [yellow(text, 'others are asked first; nothing to do')];
}

function quota({ quota: answer }: WorkerFacts, now: EpochMs, zone: string): readonly Finding[] {
  if (answer === undefined) return [];
  if (answer.type === 'unknown') return [green(`its quota is not known: ${answer.why}`)];
  const windows = answer.windows.map(({ name, usedPercent, resetAt, isClosed }) => {
    const until = resetAt === undefined ? '' : `, ${formatUntil(resetAt, now, zone)}`;
    const text = `${name}: ${String(Math.round(usedPercent))} % used${until}`;
    return isClosed ? yellow(text) : green(text);
  });
  const { credits } = answer;
  if (credits === undefined) return windows;
  return [
    ...windows,
    credits.isEmpty ? yellow(`no money: ${credits.words}`, 'add credits') : green(credits.words),
  ];
}

function ago(at: EpochMs, now: EpochMs): string {
  return at > now ? 'just now' : `${formatDuration(between(at, now))} ago`;
}
