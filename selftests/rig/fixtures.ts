import { join } from 'node:path';
import type { ReplayInput } from '../../src/fleet/replay.ts';
import { readFixture } from '../../src/selftest/fixture.ts';

export const FIXTURES = join(import.meta.dirname, '../../fixtures');

/** What `replay` is given for a fixture; tests change a part of it to see what follows. */
export async function fixtureInput(adapter: string, name: string): Promise<ReplayInput> {
  const fixture = await readFixture({ cli: adapter, name, folder: join(FIXTURES, adapter, name) });
  if (!fixture.ok) throw new Error(`${adapter}/${name}: ${fixture.error}`);
  return fixture.value.input;
}
