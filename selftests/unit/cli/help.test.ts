import { describe, expect, it } from 'vitest';
import { PERMISSION_FLAGS } from '../../../src/cli/help.ts';
import { PERMISSIONS } from '../../../src/core/worker.ts';
import { ADAPTER_NAMES, loadAdapter } from '../../../src/workers/registry.ts';

describe('the help on --permissions', () => {
  it.each(ADAPTER_NAMES)('says what %s is really given', async (name) => {
    const { title, permissions } = await loadAdapter(name);
    for (const permission of PERMISSIONS) {
      const part = PERMISSION_FLAGS.split(new RegExp(`^  ${permission} `, 'm'))[1] ?? '';
      const own = part.slice(part.indexOf(title) + title.length).split(/\n {0,9}\S/)[0] ?? '';
      expect(own.replace(/\s+/g, ' ').trim()).toBe(permissions[permission].join(' '));
    }
  });

  it('fits a terminal of 80 columns', () => {
    for (const line of PERMISSION_FLAGS.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
