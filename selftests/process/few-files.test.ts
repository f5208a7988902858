import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DONE, INIT } from '../rig/a-fleet.ts';
import { aStage } from '../rig/cli.ts';

it.each([28, 34, 40])(
  'with %d open files at most, tasks fail in words, and nobody is left at work',
  async (openFiles) => {
    const stage = aStage();
    stage.configure({ workers: [{ id: 'claude', adapter: 'claude', maxConcurrent: 50 }] });
    // What an agent has started may have left its group.
    stage.fake('claude', `${INIT}\nsleep 900 &\nsetsid sleep 900 &\nsleep 0.3\n${DONE}`);
    const tasks = Array.from({ length: 24 }, (_, index) => `task ${String(index)}`);
    writeFileSync(join(stage.project, 'tasks.txt'), tasks.join('\n'));
    const { code, stderr } = await stage.run(['run', '--tasks', 'tasks.txt', '-j', '20'], { openFiles });
    // How many are done depends on how many are at work at one moment.
    expect([0, 1]).toContain(code);
    if (code === 1) expect(stderr).toContain('could not be started (EMFILE)');
    expect(stderr).not.toMatch(/node:internal|bug of ours/);
    expect(stage.alive()).toEqual([]);
  },
  60_000,
);
