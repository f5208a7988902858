import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCapture, readCaptureFacts } from '../../src/cli/capture-file.ts';
import { DEFAULT_HOLD, DEFAULT_PATIENCE, DEFAULT_RESTS } from '../../src/core/policy.ts';
import { fromIso } from '../../src/core/time.ts';
import type { ReplayInput, ReplayVerdict } from '../../src/fleet/replay.ts';
import { replay } from '../../src/fleet/replay.ts';
import { loadAdapter } from '../../src/workers/registry.ts';

export const FIXTURES = join(import.meta.dirname, '../../fixtures');

/** What `replay` is given for a fixture; tests change a part of it to see what follows. */
export async function fixtureInput(adapter: string, name: string): Promise<ReplayInput> {
  const read = (file: string): string => readFileSync(join(FIXTURES, adapter, name, file), 'utf8');
  const facts = readCaptureFacts(read('capture.json'));
  const startedAt = fromIso(facts.startedAt ?? '');
  if (startedAt === undefined || facts.zone === undefined)
    throw new Error(`${adapter}/${name}: capture.json says no start or zone`);
  return {
    ...{ adapter: await loadAdapter(adapter), lines: readCapture(read('stream.jsonl')) },
    ...{ startedAt: startedAt, zone: facts.zone, exit: facts.exit ?? undefined },
    ...{ patience: { patienceMs: DEFAULT_PATIENCE, holdMs: DEFAULT_HOLD }, rests: DEFAULT_RESTS },
    notes: existsSync(join(FIXTURES, adapter, name, 'rollout.jsonl'))
      ? read('rollout.jsonl').split('\n')
      : [],
  };
}

export async function replayFixture(adapter: string, name: string): Promise<ReplayVerdict> {
  return replay(await fixtureInput(adapter, name));
}
