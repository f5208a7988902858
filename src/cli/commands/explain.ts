import { toIso } from '../../core/time.ts';
import type { Situation } from '../../fleet/order.ts';
import { describeRule } from '../../fleet/rules.ts';
import type { Standing } from '../../fleet/standing.ts';
import { standings } from '../../fleet/standing.ts';
import { openProbes } from '../../store/probes.ts';
import { childStarter } from '../../system/child.ts';
import { cooldownsOf } from '../../library/cooldowns.ts';
import { EXIT } from '../exit-codes.ts';
import { harmlessLine, jsonText } from '../../core/harmless.ts';
import { formatUntil } from '../format.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { loginLook, loginRecheck } from '../../library/login-recheck.ts';
import type { Plan } from '../../library/plan.ts';
import type { PlanFlags } from '../plan-flags.ts';
import { optionsOf } from '../plan-flags.ts';
import { planOf } from '../../library/plan.ts';
import { situationOf } from '../../library/situation.ts';
import { standingJson, stateOf, untilOf, whyWords } from '../standing-words.ts';
import { wrap } from '../wrap.ts';

export interface ExplainFlags extends PlanFlags {
  readonly session?: string;
}

/** `explain`: in which order the workers would be tried now, and why each other one would not be. */
export async function explain(io: Io, words: readonly string[], flags: ExplainFlags): Promise<number> {
  if (flags.session !== undefined) {
    const { explainSession } = await import('./explain-session.ts');
    return explainSession(io, flags.session, flags);
  }
  const plan = await planOf(io, optionsOf(flags));
  if (!plan.ok) return refuse(io, plan.error);
  const situation = await recheckedSituation(io, plan.value);
  const all = standings(situation);
  const { terminal, zone } = io;
  if (flags.json === true) {
    terminal.out(
      `${jsonText(
        all.map((one) => ({
          ...standingJson(one, situation.now),
          rules: rulesJson(situation, one),
        })),
        2,
      )}\n`,
    );
    return EXIT.done;
  }
  const task = harmlessLine(words.join(' '));
  const columns = terminal.outColumns ?? Infinity;
  const say = (lead: string, text: string): void => {
    terminal.out(`${lead}${wrap(text, columns, lead.length).join('\n')}\n`);
  };
  say('', heading(all, situation, task));
  for (const one of all) say(lead(one), line(one, situation, zone));
  for (const rule of situation.rules ?? []) {
    terminal.out('\n');
    say('', harmlessLine(describeRule(rule, situation.now)));
  }
  return EXIT.done;
}

/** The rules about a worker's seat, whether they match, and what they were held against. */
function rulesJson({ rules = [] }: Situation, { worker }: Standing): readonly Record<string, unknown>[] {
  return rules
    .filter(({ rule }) => rule.when.seat === worker.seat)
    .map(({ rule, number, outcome, reading }) => ({
      ...{ rule: number, window: rule.when.window, gte: rule.when.usedPercent.gte, then: rule.then },
      ...{ outcome, usedPercent: reading?.usedPercent ?? null, note: rule.note ?? null },
      observedAt: reading === undefined ? null : toIso(reading.observedAt),
    }));
}

/** A run looks at the logins of those that cannot run before it chooses; so does this, or it would say otherwise. */
async function recheckedSituation(io: Io, plan: Plan): Promise<Situation> {
  const situation = await situationOf(io, plan);
  if (situation.cooldowns.every(({ kind }) => kind !== 'cli-unavailable' && kind !== 'auth-failure'))
    return situation;
  const { clock, env, home, stateHome } = io;
  const probing = { clock, env, home, startChild: childStarter(clock) };
  const look = loginLook(plan, probing, openProbes({ home: stateHome, clock }));
  const tools = { store: cooldownsOf(io), emit: () => undefined, now: () => clock.now() };
  const cooldowns = await loginRecheck(plan.fleet, look, tools)(situation.cooldowns);
  return { ...situation, cooldowns, now: clock.now() };
}

function heading(all: readonly Standing[], { onQuota, model }: Situation, task: string): string {
  const what = task === '' ? 'A task' : `'${task.length > 60 ? `${task.slice(0, 59)}…` : task}'`;
  const asking = model === undefined ? '' : ` (for model ${harmlessLine(model)})`;
  if (all.length === 0) return 'The fleet is empty.';
  if (all.some(({ type }) => type === 'candidate'))
    return `${what} would be given${asking} to the first of these that can do it:`;
  const then = onQuota === 'wait' ? 'it would wait for the first that is back' : 'it would not be begun';
  return `${what} could be given${asking} to nobody now; ${then}:`;
}

function lead(standing: Standing): string {
  return standing.type === 'skipped' ? '-  ' : `${String(standing.place)}. `;
}

function line(standing: Standing, { now }: Situation, zone: string): string {
  const why = whyWords(standing);
  const until = untilOf(standing);
  const when =
    until !== undefined || stateOf(standing) === 'resting' ? `, ${formatUntil(until, now, zone)}` : '';
  const { id } = standing.worker;
  if (standing.type === 'skipped') return `${id}: ${why}${when}`;
  const { trouble, lastResort } = standing;
  if (trouble === undefined) return id;
  return `${id}: ${lastResort ? 'as the last resort, ' : ''}unhealthy (${why})${when}`;
}
