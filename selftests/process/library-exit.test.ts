import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aFleet, DONE, INIT, toldByProgram, WORD } from '../rig/a-fleet.ts';
import { aStage } from '../rig/cli.ts';

it.each([
  ['exits', 'process.exit(0);'],
  [
    'fails',
    "process.once('uncaughtException', () => process.exit(0)); setImmediate(() => { throw new Error('x'); });",
  ],
])('a program that %s in the middle of a run takes the agents with it', async (_, end) => {
  const stage = aStage();
  // What an agent has started may have left its group.
  stage.fake('claude', `setsid sleep 900 &\n${INIT}\n${WORD}\nexec sleep 900`);
  const told = toldByProgram(
    stage,
    `const fleet = await createFleet({});
     const run = fleet.value.run('mend the clock');
     for await (const { type } of run) if (type === 'attempt.text') { tell({ session: run.session }); ${end} }`,
  );
  expect(stage.alive()).toEqual([]);
  const leases = join(stage.stateHome, 'leases');
  expect(existsSync(leases) ? readdirSync(leases) : []).toEqual([]);
  // As after any kill, the session goes on.
  stage.fake('claude', `${INIT}\n${DONE}`);
  expect(await stage.run(['resume', String(told['session'])])).toMatchObject({
    code: 0,
    stdout: 'By claude.\n',
  });
});

it('nobody listens for the end of the process when no run is at work', async () => {
  const stage = aStage();
  stage.fake('claude', `${INIT}\nuntil test -f "$HOME/go"; do sleep 0.05; done\n${DONE}`);
  const before = process.listenerCount('exit');
  const fleet = await aFleet(stage);
  const [first, ...others] = [fleet.run('a'), fleet.run('b'), fleet.run('c')];
  for await (const { type } of first) if (type === 'attempt.started') break;
  expect(process.listenerCount('exit')).toBe(before + 1);
  writeFileSync(join(stage.home, 'go'), '');
  await Promise.all([first, ...others].map(({ outcome }) => outcome));
  expect(process.listenerCount('exit')).toBe(before);
});
