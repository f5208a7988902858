import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadHolder } from '../rig/chaos/dead-holder.ts';
import { fullDisk } from '../rig/chaos/full-disk.ts';
import { killedAtStep, truncated } from '../rig/chaos/killed-at-step.ts';
import { killedWriters } from '../rig/chaos/killed-writers.ts';
import { oddLocks } from '../rig/chaos/odd-locks.ts';
import { pausedHolder } from '../rig/chaos/paused-holder.ts';
import type { Stage } from '../rig/chaos/stage.ts';
import { openStage } from '../rig/chaos/stage.ts';

// Each scenario of `npm run chaos` in a short form. They start dozens of processes, which a busy machine does slowly.
describe('the shared state', { timeout: 120_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(1);
  });
  afterAll(() => {
    stage.close();
  });

  it('keeps every acknowledged update while its writers are killed', async () => {
    const { breaches } = await killedWriters(stage, { writers: 4, kills: 12 });
    expect(breaches).toEqual([]);
  });

  it('replaces a dead holder by exactly one of the contenders', async () => {
    const { breaches } = await deadHolder(stage, { contenders: 5, rounds: 20 });
    expect(breaches).toEqual([]);
  });

  it('waits for a paused holder, or gives up and names it', async () => {
    const { breaches } = await pausedHolder(stage, { pause: 1_500 });
    expect(breaches).toEqual([]);
  });

  it('takes locks whose holder is provably gone, and no others', async () => {
    const { breaches } = await oddLocks(stage, { patience: 100 });
    expect(breaches).toEqual([]);
  });

  it('is old or new wherever in a write a process is killed, and the next write goes on', async () => {
    const { breaches } = await killedAtStep(stage);
    expect(breaches).toEqual([]);
  });

  it('stays as it was when the disk is full', async () => {
    const { breaches } = await fullDisk(stage);
    expect(breaches).toEqual([]);
  });

  it('opens, or is set aside, wherever its file was cut', async () => {
    const { breaches } = await truncated(stage, { every: 13 });
    expect(breaches).toEqual([]);
  });
});
