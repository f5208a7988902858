import { describe, expect, it } from 'vitest';
import { coverageOf, coveredVersions, releaseIn } from '../../../src/selftest/versions.ts';
import { ADAPTER_NAMES, loadAdapter } from '../../../src/workers/registry.ts';

describe('the versions that are covered', () => {
  it.each(ADAPTER_NAMES)('are known of %s', async (name) => {
    const covered = coveredVersions(await loadAdapter(name));
    expect(covered.length).toBeGreaterThan(0);
    for (const version of covered) expect(releaseIn(version)).toHaveLength(3);
  });

  it('are none of a CLI that nobody recorded', () => {
    expect(coveredVersions({ name: 'aider' })).toEqual([]);
  });
});

describe('coverage', () => {
  const covered = ['2.1.197', '2.1.332', '10.0.0'];

  it.each([
    ['2.1.197 (Claude Code)', 'covered'],
    ['2.1.332 (Claude Code)', 'covered'],
    ['2.1.300', 'between'],
    ['9.9.9', 'between'],
    ['2.1.99', 'older'],
    ['10.0.1', 'newer'],
    ['11.0.0-beta.3', 'newer'],
    ['codex-cli 10.1.0', 'newer'],
  ])('of %s is: %s', (version, type) => {
    expect(coverageOf(version, covered)).toEqual({ type, newest: '10.0.0' });
  });

  it('is unknown where there is no version, or nothing to compare it with', () => {
    expect(coverageOf('', covered)).toEqual({ type: 'unknown' });
    expect(coverageOf('1.2.3', [])).toEqual({ type: 'unknown' });
  });
});
