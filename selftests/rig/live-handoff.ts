import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { durationMs, SECOND } from '../../src/core/time.ts';
import type { Played } from '../../src/upstream/scenario.ts';
import * as claude from '../../src/upstream/scenarios/claude.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import * as gemini from '../../src/upstream/scenarios/gemini.ts';
import { FULL } from './live-expectations.ts';
import type { LiveEvent, LiveFleet, LiveRun } from './live-fleet.ts';
import type { CliName } from './live-workers.ts';

/** What the agent does before its window closes: done twice it would show in the file. */
export const APPEND = 'echo once >> log.txt';
export const WAITING = { args: [...FULL.args, '--on-quota', 'wait'] };

/** Long enough for a slow machine to read the refusal before its reset has passed, and to be waited for in a test. */
export const SOON = durationMs(12 * SECOND);
const LATER = durationMs(7_200 * SECOND);

/** The first steps of each, one after the other. */
export function inTurn(first: Played, ...rest: readonly Played[]): Played {
  return { ...first, steps: [first.steps[0], ...rest.map(({ steps }) => steps[0])] };
}

/** The agent appends to the file, and its window closes until then; asked again it is done. */
export function appendsThenCloses(cli: CliName, resetsIn = LATER): Played {
  switch (cli) {
    case 'claude':
      return inTurn(
        claude.runs(APPEND),
        claude.closedWindow({ window: 'five_hour', resetsIn }),
        claude.says(),
      );
    case 'codex':
      return inTurn(codex.runs(APPEND), codex.closedWindow({ resetsIn }), codex.says());
    case 'gemini':
      return inTurn(gemini.runs(APPEND), gemini.closedDay(), gemini.says());
  }
}

export function says(cli: CliName): Played {
  return { claude, codex, gemini }[cli].says();
}

/** The folder in which a worker's CLI keeps everything of its own. */
export function homeOf<Name extends string>(fleet: LiveFleet<Name>, name: Name): string {
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME } = fleet.workers[name].env;
  return CLAUDE_CONFIG_DIR ?? CODEX_HOME ?? GEMINI_CLI_HOME ?? '';
}

/** The work tree of a fleet, and what the agents have appended in it. */
export function worktreeOf(fleet: LiveFleet<string>): string {
  const [any = ''] = Object.keys(fleet.workers);
  return join(dirname(homeOf(fleet, any)), 'worktree');
}

export function appended(fleet: LiveFleet<string>): string {
  return readFileSync(join(worktreeOf(fleet), 'log.txt'), 'utf8');
}

/** Says more of the workers in `config.json`. */
export function configure<Name extends string>(
  fleet: LiveFleet<Name>,
  more: Readonly<Partial<Record<Name, object>>>,
): void {
  const workers = Object.entries(fleet.workers) as [Name, object][];
  const config = { workers: workers.map(([name, worker]) => ({ ...worker, ...more[name] })) };
  writeFileSync(join(dirname(worktreeOf(fleet)), 'state', 'config.json'), JSON.stringify(config));
}

export function handoffs(run: LiveRun): readonly LiveEvent[] {
  return run.events.filter(({ type }) => type === 'handoff');
}

/** Those of the texts that a lane was not sent in its n-th call: a whole request is too long to be shown. */
export function missingIn<Name extends string>(
  fleet: LiveFleet<Name>,
  name: Name,
  call: number,
  texts: readonly string[],
): readonly string[] {
  const sent = JSON.stringify(fleet.upstream.calls(name)[call]?.body ?? '');
  return texts.filter((text) => !sent.includes(text));
}
