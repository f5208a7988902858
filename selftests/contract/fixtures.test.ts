import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verdictJson } from '../../src/cli/verdict-json.ts';
import { ADAPTER_NAMES } from '../../src/workers/registry.ts';
import { FIXTURES, replayFixture } from '../rig/fixtures.ts';

describe.each(ADAPTER_NAMES)('%s', (adapter) => {
  it.each(readdirSync(join(FIXTURES, adapter)))(
    'judges the capture %s as its expected.json argues',
    async (name) => {
      const folder = join(FIXTURES, adapter, name);
      const { why, ...expected } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
        readonly why: string;
      };
      expect(why).not.toBe('');
      expect(verdictJson(await replayFixture(adapter, name))).toMatchObject(expected);
    },
  );
});
