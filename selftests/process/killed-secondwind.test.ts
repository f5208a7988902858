import { afterAll, beforeAll, expect, it } from 'vitest';
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
