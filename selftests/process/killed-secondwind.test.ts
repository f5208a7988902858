import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aStage } from '../rig/cli.ts';
import { killedSecondwinds } from '../rig/chaos/killed-secondwinds.ts';
import type { Stage } from '../rig/chaos/stage.ts';
import { openStage } from '../rig/chaos/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage(1);
});
afterAll(() => {
  stage.close();
});

// `npm run chaos` does this a hundred times.
it('loses no session and leaves nobody behind, whenever secondwind itself is killed', async () => {
  const { figures, breaches } = await killedSecondwinds(stage, { kills: 12, sessions: 5 });
  expect(breaches, JSON.stringify(figures)).toEqual([]);
});

it('has a session on the disk before it names it', () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const { home, stateHome, bin } = stage;
  const reader =
    '{ read -r first; /bin/ls "$SECONDWIND_HOME/sessions" > "$HOME/seen"; /bin/cat > /dev/null; }';
  const program = join(import.meta.dirname, '../../bin/secondwind.js');
  const env = { PATH: bin, HOME: home, SECONDWIND_HOME: stateHome };
  spawnSync('/bin/sh', ['-c', `node "$1" run --json x | ${reader}`, 'sh', program], { env });
  expect(readFileSync(join(home, 'seen'), 'utf8')).toMatch(/^\d{8}-\d{6}-\w+\.json$/m);
});
