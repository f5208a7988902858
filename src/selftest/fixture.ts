import { DEFAULT_HOLD, DEFAULT_PATIENCE, DEFAULT_RESTS } from '../core/policy.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { fromIso } from '../core/time.ts';
import type { ReplayInput } from '../fleet/replay.ts';
import { entriesOf } from '../system/folder.ts';
import { readIfThere, readTextFile } from '../system/input.ts';
import { ADAPTER_NAMES, isAdapterName, loadAdapter } from '../workers/registry.ts';
import { readCapture, readCaptureFacts } from './capture-file.ts';

/** A folder that holds a recorded run: `stream.jsonl`, `capture.json`, `expected.json`. */
export interface FixtureFolder {
  /** Whose run it is: as `capture.json` says, else the name of the folder above. */
  readonly cli: string;
  readonly name: string;
  readonly folder: string;
}

export interface Fixture {
  readonly input: ReplayInput;
  /** The version of the CLI as it said it itself. */
  readonly version: string | undefined;
  /** A part of a verdict, as `replay --json` prints it. */
  readonly expected: Readonly<Record<string, unknown>>;
  /** The argument for it. */
  readonly why: string;
}

/** How deep below the folder that is named fixtures are looked for: `DIR/<cli>/<case>`. */
const DEEPEST = 2;

/** Every fixture in a folder, by CLI and name; the folder may be one itself. */
export function fixturesIn(folder: string, deepest = DEEPEST): Result<readonly FixtureFolder[], string> {
  const entries = entriesOf(folder);
  if (!entries.ok) return entries;
  if (entries.value.some(({ name }) => name === 'stream.jsonl')) return ok([fixtureFolder(folder)]);
  if (deepest === 0) return ok([]);
  const found: FixtureFolder[] = [];
  for (const { name, isFolder } of entries.value) {
    if (!isFolder || name === 'node_modules') continue;
    const below = fixturesIn(`${folder}/${name}`, deepest - 1);
    if (below.ok) found.push(...below.value);
  }
  const rank = ({ cli }: FixtureFolder): number => ADAPTER_NAMES.indexOf(cli);
  return ok(found.sort((one, other) => rank(one) - rank(other)));
}

function fixtureFolder(folder: string): FixtureFolder {
  const [above = '', name = ''] = folder.replace(/\/+$/, '').split('/').slice(-2);
  const facts = readIfThere(`${folder}/capture.json`);
  const { cli } = readCaptureFacts((facts.ok ? facts.value : undefined) ?? '');
  return { cli: cli ?? above, name, folder };
}

/** Reads all that a fixture holds. The error says what is wrong with it, as a sentence without its full stop. */
export async function readFixture({ cli, folder }: FixtureFolder): Promise<Result<Fixture, string>> {
  if (!isAdapterName(cli)) {
    return err(`capture.json: expected "cli" to be one of ${ADAPTER_NAMES.join(', ')}, but found '${cli}'`);
  }
  const stream = readTextFile(`${folder}/stream.jsonl`);
  if (!stream.ok) return err(`stream.jsonl cannot be read: ${stream.error}`);
  const facts = readTextFile(`${folder}/capture.json`);
  if (!facts.ok) return err(`capture.json cannot be read: ${facts.error}`);
  const { startedAt, zone, exit, version } = readCaptureFacts(facts.value);
  const start = fromIso(startedAt ?? '');
  if (start === undefined || zone === undefined) return err('capture.json: expected "startedAt" and "tz"');
  const argued = readExpected(folder);
  if (!argued.ok) return argued;
  const notes = readIfThere(`${folder}/rollout.jsonl`);
  return ok({
    ...argued.value,
    version,
    input: {
      ...{ adapter: await loadAdapter(cli), lines: readCapture(stream.value) },
      ...{ startedAt: start, zone, exit: exit ?? undefined, rests: DEFAULT_RESTS },
      patience: { patienceMs: DEFAULT_PATIENCE, holdMs: DEFAULT_HOLD },
      notes: ((notes.ok ? notes.value : undefined) ?? '').split('\n'),
    },
  });
}

function readExpected(folder: string): Result<Pick<Fixture, 'expected' | 'why'>, string> {
  const text = readTextFile(`${folder}/expected.json`);
  if (!text.ok) return err(`expected.json cannot be read: ${text.error}`);
  let value: unknown;
  try {
    value = JSON.parse(text.value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return err(`expected.json is no JSON: ${error.message}`);
  }
  if (typeof value !== 'object' || value === null || !('outcome' in value)) {
    return err('expected.json: expected an object with at least "outcome" and "why"');
  }
  const { why, ...expected } = value as Record<string, unknown>;
  if (typeof why !== 'string' || why.trim() === '') {
    return err('expected.json: expected "why" to argue for the verdict, but found nothing');
  }
  return ok({ expected, why });
}
