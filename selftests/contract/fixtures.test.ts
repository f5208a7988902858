import { describe, expect, it } from 'vitest';
import { judgeFixture } from '../../src/selftest/offline.ts';
import { fixturesIn } from '../../src/selftest/fixture.ts';
import { ADAPTER_NAMES } from '../../src/workers/registry.ts';
import { FIXTURES } from '../rig/fixtures.ts';

/** What `secondwind selftest` does, a test a case. */
const found = fixturesIn(FIXTURES);
const folders = found.ok ? found.value : [];

describe.each(ADAPTER_NAMES)('%s', (adapter) => {
  it.each(folders.filter(({ cli }) => cli === adapter))(
    'judges the capture $name as its expected.json argues',
    async (folder) => {
      expect(await judgeFixture(folder)).toMatchObject({ type: 'judged', differences: [] });
    },
  );
});
