import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eventually, writeScript } from '../rig/children.ts';
import { aStage } from '../rig/cli.ts';

/** `T`: stopped; nothing when it is not there. */
function stateOf(pid: number): string {
  const file = `/proc/${String(pid)}/stat`;
  if (!existsSync(file)) return '';
  const stat = readFileSync(file, 'latin1');
  return stat.charAt(stat.lastIndexOf(')') + 2);
}

it('Ctrl-Z stops the agents and whatever they started, and with it they go on', async () => {
  const stage = aStage();
  // Its own child has left its group, as agents' shells do.
  const tools = 'setsid sleep 900 & while [ ! -e "$HOME/go" ]; do sleep 0.05; done; kill $!';
  const result = { type: 'result', subtype: 'success', is_error: false, result: 'All done.' };
  stage.fake('claude', `${tools}\necho '${JSON.stringify(result)}'`);
  // Only in a shell with jobs there is somebody who could let a stopped one go on.
  const program = join(import.meta.dirname, '../../bin/secondwind.js');
  const script = join(stage.folder, 'shell');
  writeScript(script, 'exec /bin/bash -c \'set -m; node "$0" run x > "$HOME/said" & read over\' "$1"');
  const env = {
    PATH: `${stage.bin}:/usr/bin:/bin`,
    HOME: stage.home,
    SECONDWIND_HOME: stage.stateHome,
    TZ: 'UTC',
  };
  const shell = spawn(script, [program], {
    env,
    cwd: stage.project,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  onTestFinished(() => void shell.kill('SIGKILL'));
  const agents = () => stage.alive().filter(({ command }) => /claude|sleep 900/.test(command));
  const ours = () => stage.alive().find(({ command }) => command.includes('secondwind.js run'));
  await eventually('an agent and its child are at work', () =>
    agents().some(({ command }) => command.includes('sleep 900')),
  );
  process.kill(ours()?.pid ?? 0, 'SIGTSTP');
  await eventually('all are stopped', () =>
    [ours(), ...agents()].every((one) => one !== undefined && stateOf(one.pid) === 'T'),
  );
  expect(agents().length).toBeGreaterThanOrEqual(2);
  writeFileSync(join(stage.home, 'go'), '');
  process.kill(ours()?.pid ?? 0, 'SIGCONT');
  await eventually(
    'the task is done',
    () => readFileSync(join(stage.home, 'said'), 'utf8') === 'All done.\n',
  );
  shell.stdin.end();
  await eventually('nobody is left', () => stage.alive().length === 0);
});
