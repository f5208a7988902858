import { describe, expect, it } from 'vitest';
import { firstConfig } from '../../../src/cli/first-config.ts';
import { askForConfig } from '../../../src/cli/first-questions.ts';
import { userConfigSchema } from '../../../src/store/config.ts';
import { readConfig } from '../../../src/store/read-config.ts';
import { ADAPTER_NAMES, loadAdapter } from '../../../src/workers/registry.ts';

/** What comes of these answers, in this order; after them the person goes away. */
async function answered(answers: readonly string[], installed: readonly string[] = ['claude', 'codex']) {
  const left = [...answers];
  const told: string[] = [];
  const adapters = await Promise.all(installed.map(loadAdapter));
  const chosen = await askForConfig({ ask: () => Promise.resolve(left.shift()) }, adapters, (text) =>
    told.push(text),
  );
  const read = chosen && readConfig('config.json', firstConfig(chosen), userConfigSchema(ADAPTER_NAMES));
  if (read?.ok === false) throw new Error(read.error.message);
  return { told: told.join(''), config: read?.value, left };
}

describe('the questions for a first configuration', () => {
  it('take what is usual for no answer', async () => {
    const { config } = await answered(['', '', '']);
    expect(config).toMatchObject({
      workers: [
        { id: 'claude', adapter: 'claude' },
        { id: 'codex', adapter: 'codex' },
      ],
      onQuota: 'stop',
    });
  });

  it('take an order, and a second login right behind the first', async () => {
    const { config } = await answered(['codex, claude', 'codex', 'codex-work', '~/.codex "work"', 'wait']);
    expect(config).toMatchObject({
      workers: [
        { id: 'codex' },
        { id: 'codex-work', adapter: 'codex', env: { CODEX_HOME: '~/.codex "work"' } },
        { id: 'claude' },
      ],
      onQuota: 'wait',
    });
  });

  it('ask again, and say what is expected, for each answer that is none', async () => {
    const { config, told, left } = await answered([
      ...[
        'cluade',
        'claude',
        'gemini',
        'claude',
        'a/b',
        'claude',
        'second',
        'relative',
        '/srv/login',
        'later',
        'api',
      ],
    ]);
    expect(config).toMatchObject({ workers: [{ id: 'claude' }, { id: 'second' }], onQuota: 'api' });
    expect(left).toEqual([]);
    expect(told.trim().split('\n')).toHaveLength(6);
  });

  it.each([0, 1, 2, 3, 4])(
    'end without a configuration when the person goes away after %i answers',
    async (count) => {
      const { config } = await answered(['claude', 'claude', 'second', '~/x'].slice(0, count));
      expect(config).toBeUndefined();
    },
  );

  it('do without a list of workers when nothing is installed', async () => {
    const { config } = await answered([''], []);
    expect(config?.workers).toBeUndefined();
    expect(config?.onQuota).toBe('stop');
  });
});
