import type { Rule } from '../../core/rule.ts';
import { durationMs, formatDuration } from '../../core/time.ts';
import { ruleWords } from '../../fleet/rules.ts';
import { findUpToGitRoot } from '../../system/input.ts';
import { isThere } from '../../system/folder.ts';
import { ADAPTER_NAMES } from '../../workers/registry.ts';
import { effectiveSettings, fleetFrom, shownWorker } from '../effective.ts';
import type { Effective } from '../effective.ts';
import { EXIT } from '../exit-codes.ts';
import { harmlessLine, jsonText } from '../../core/harmless.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import type { PlanFlags } from '../plan-flags.ts';
import { optionsOf } from '../plan-flags.ts';
import { planOf } from '../../library/plan.ts';
import { readSettings } from '../../library/settings.ts';
import { textTable } from '../table.ts';
import { wrap } from '../wrap.ts';

interface JsonFlag {
  readonly json?: boolean;
}

/** The two files that a run here reads, whether they are there or not; `undefined`: no project's file was found. */
function filesOf({ stateHome }: Io, directory: string) {
  const user = `${stateHome}/config.json`;
  const project = findUpToGitRoot('secondwind.config.json', directory);
  return { user: { path: user, found: isThere(user) }, project };
}

/** `config path`: which files are read, and which of them are there. Tells so even when they are wrong. */
export function configPath(io: Io, { json }: JsonFlag): number {
  const { user, project } = filesOf(io, io.directory);
  if (json === true) {
    const told = { user, project: { path: project ?? null, found: project !== undefined } };
    io.terminal.out(`${jsonText(told, 2)}\n`);
    return EXIT.done;
  }
  const say = (lead: string, text: string): void => {
    const columns = io.terminal.outColumns ?? Infinity;
    io.terminal.out(`${lead}${wrap(text, columns, lead.length).join('\n')}\n`);
  };
  say('yours    ', `${user.path}${user.found ? '' : ' (not there; secondwind config init writes one)'}`);
  const none = `none: no secondwind.config.json from ${io.directory} up to the root of its git work tree`;
  say('project  ', project ?? none);
  return EXIT.done;
}

/** `config show`: every setting as a run from here would take it, and where it comes from. */
export async function showConfig(io: Io, flags: PlanFlags): Promise<number> {
  const planned = await planOf(io, optionsOf(flags));
  if (!planned.ok) return refuse(io, planned.error);
  const { policy, permissions, fleet, directory } = planned.value;
  const settings = await readSettings(io.stateHome, directory);
  if (!settings.ok) return refuse(io, settings.error);
  const { user, project } = filesOf(io, directory);
  const given = { settings: settings.value, flags, env: io.env, userFile: user.path };
  const rows: readonly Effective[] = [
    {
      name: 'home',
      value: io.stateHome,
      from: (io.env['SECONDWIND_HOME'] ?? '') === '' ? 'default' : 'SECONDWIND_HOME',
    },
    ...effectiveSettings({ ...given, policy, permissions }),
  ];
  const workers = fleet.map(shownWorker);
  const from = fleetFrom(given);
  if (flags.json === true) {
    const told = {
      files: { user, project: { path: project ?? null, found: project !== undefined } },
      settings: Object.fromEntries(rows.map(({ name, ...rest }) => [name, rest])),
      fleet: { from, workers },
    };
    io.terminal.out(`${jsonText(told, 2)}\n`);
    return EXIT.done;
  }
  const cells = rows.flatMap(({ name, value, from: by }) =>
    partsOf(name, value).map(([part, text]) => [part, text, by]),
  );
  io.terminal.out(textTable(['SETTING', 'VALUE', 'FROM'], cells, { columns: io.terminal.outColumns }));
  const columns = io.terminal.outColumns ?? Infinity;
  const say = (indent: string, text: string): void => {
    io.terminal.out(`${indent}${wrap(harmlessLine(text), columns, 2 * indent.length).join('\n')}\n`);
  };
  io.terminal.out('\n');
  say('', `Workers, in the order in which they are asked (${from}):`);
  for (const worker of workers) say('  ', workerLine(worker));
  return EXIT.done;
}

/** A row each for rules, for hooks, and for whatever else holds more than one thing. */
function partsOf(name: string, value: unknown): readonly (readonly [name: string, value: string])[] {
  if (name === 'rules' && Array.isArray(value))
    return (value as readonly Rule[]).map((rule, index) => [`rule ${String(index + 1)}`, ruleLine(rule)]);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[name, shown(name, value)]];
  return Object.entries(value).map(([key, inner]) => [`${name} ${key}`, shown(`${name} ${key}`, inner)]);
}

function ruleLine(rule: Rule): string {
  const note = rule.note === undefined ? '' : `: ${rule.note}`;
  return `${ruleWords(rule)}, seen ${formatDuration(rule.when.freshWithin)} ago at most${note}`;
}

const LENGTHS = /^(?:maxWait|patience|hold|rest after .*|quota poll)$/;

function shown(name: string, value: unknown): string {
  if (value === null) return 'no limit';
  if (typeof value === 'number' && LENGTHS.test(name))
    return value === 0 ? '0' : formatDuration(durationMs(value));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function workerLine({ id, ...rest }: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(rest).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${String(id)}: ${parts.join(', ')}`;
}

/** `config schema`: the JSON Schema of one of the files, by which editors explain and complete it. */
export async function configSchema(io: Io, { project }: { readonly project?: boolean }): Promise<number> {
  const { configJsonSchema } = await import('../../store/config-json-schema.ts');
  const schema = configJsonSchema(project === true ? 'project' : 'user', ADAPTER_NAMES);
  io.terminal.out(`${jsonText(schema, 2)}\n`);
  return EXIT.done;
}
