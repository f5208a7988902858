import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aStage } from '../rig/cli.ts';

const SECONDWIND = join(import.meta.dirname, '../../bin/secondwind.js');

/** `script` (util-linux) gives it a terminal. */
function shownIn(columns: number, args: string): string {
  const stage = aStage();
  stage.configure({
    workers: [{ id: 'claude-of-the-team', adapter: 'claude', seat: 'the-seat-of-the-team' }],
  });
  const command = `/usr/bin/stty cols ${String(columns)}; exec node "${SECONDWIND}" ${args}`;
  const env = { PATH: stage.bin, HOME: stage.home, SECONDWIND_HOME: stage.stateHome, TZ: 'UTC' };
  const { stdout } = spawnSync('/usr/bin/script', ['-qefc', command, '/dev/null'], {
    ...{ cwd: stage.project, encoding: 'utf8' },
    env: { ...env, TERM: 'xterm', SHELL: '/bin/sh', NO_COLOR: '1' },
  });
  return stdout.replaceAll('\r\n', '\n');
}

it.runIf(process.platform === 'linux')(
  'shows a block for each row where a table is too wide for the terminal',
  () => {
    expect(shownIn(40, 'workers')).toBe(
      'claude-of-the-team\n  cli: claude\n  seat: the-seat-of-the-team; model: -\n  billing: -; state: missing\n',
    );
  },
);

it.runIf(process.platform === 'linux')(
  'shows the table where that goes into a pipe, however narrow the terminal',
  () => {
    const [head, row] = shownIn(40, 'workers | /bin/cat').split('\n');
    expect(head).toBe('WORKER              CLI     SEAT                  MODEL  BILLING  STATE');
    expect(row).toBe('claude-of-the-team  claude  the-seat-of-the-team  -      -        missing');
  },
);
