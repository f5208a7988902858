import { expect, it, onTestFinished } from 'vitest';
import { childStarter } from '../../src/system/child.ts';
import { systemClock } from '../../src/system/clock.ts';
import { hasten } from '../../src/system/process.ts';
import { eventually } from '../rig/children.ts';
import { killAll, processesWith } from '../rig/live-processes.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** A child that does not hear SIGTERM, on a clock that stands still: the two seconds it is given never end. */
async function aDeafChild() {
  const mark = tempFolder();
  onTestFinished(() => {
    killAll(processesWith(mark));
  });
  const start = childStarter({ ...systemClock, sleep: () => new Promise<void>(() => undefined) });
  const script = "trap '' TERM; echo up; sleep 1000 & wait; wait";
  const env = { PATH: '/usr/bin:/bin', HOME: mark };
  const started = await start({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: mark,
    env,
    stdin: undefined,
  });
  if (!started.ok) throw new Error(started.error.message);
  const said = started.value.lines[Symbol.asyncIterator]();
  expect((await said.next()).value).toMatchObject({ text: 'up' });
  return { child: started.value, mark };
}

it('kills what is being ended and what is not yet, with all that they started', async () => {
  const [ending, running] = [await aDeafChild(), await aDeafChild()];
  void ending.child.end();
  hasten();
  for (const { child, mark } of [ending, running]) {
    expect((await child.exited).signal).toBe('SIGKILL');
    await eventually('nobody is left', () => processesWith(mark).length === 0);
  }
});
