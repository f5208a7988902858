import { describe, expect, it } from 'vitest';
import { seatId } from '../../../src/core/ids.ts';
import type { Signal } from '../../../src/core/signal.ts';
import { epochMs, HOUR, MINUTE } from '../../../src/core/time.ts';
import { Transcript } from '../../../src/workers/transcript.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';
import type { PlayedAttempt } from '../../rig/dispatching.ts';
import { done, inHours, Play, refused } from '../../rig/dispatching.ts';

const a = aWorker({ id: 'a' });
const b = aWorker({ id: 'b', adapter: 'codex' });

describe('a handoff', () => {
  const transcript = new Transcript();
  transcript.add({ type: 'tool', id: '1', name: 'Bash', detail: 'npm test', status: 'started' });
  transcript.add({ type: 'text', text: 'Two tests fail.', delta: false });
  const began =
    (signal: Partial<Signal> = {}): PlayedAttempt =>
    () => ({
      ...refused(signal, true)(a, undefined as never),
      progress: { committed: true, conversation: 'conv-1', ...transcript.summary() },
    });

  it('sends the same prompt as long as nothing was begun', async () => {
    const play = new Play({ fleet: [a, b], attempts: [refused(), done] });
    await play.run();
    expect(play.steps.flatMap((step) => (step.type === 'attempt' ? [step.handover] : []))).toEqual([
      { prompt: 'the task', resume: undefined, how: 'prompt', cliHome: '/homes/claude-a' },
      { prompt: 'the task', resume: undefined, how: 'prompt', cliHome: '/homes/codex-b' },
    ]);
  });

  it('tells another CLI in a brief what was done, and never sends the bare prompt again', async () => {
    const play = new Play({ fleet: [a, b], attempts: [began(), done] });
    await play.run();
    expect(play.handovers).toEqual(['prompt', 'brief']);
    const second = play.steps.findLast((step) => step.type === 'attempt');
    expect(second?.handover.resume).toBeUndefined();
    for (const part of ['the task', 'Bash: npm test', 'Two tests fail.', '(by claude)'])
      expect(second?.handover.prompt).toContain(part);
    expect(second?.handover.prompt).not.toBe('the task');
  });

  it('resumes the conversation itself on the same CLI and seat', async () => {
    const sibling = aWorker({ id: 'sibling', seat: 'a', model: 'sonnet' });
    const opus = aWorker({ id: 'a', model: 'opus' });
    const play = new Play({
      fleet: [opus, sibling],
      attempts: [began({ scope: 'model:opus' }), done],
    });
    await play.run();
    expect(play.started).toEqual(['a', 'sibling']);
    expect(play.handovers).toEqual(['prompt', 'resume']);
  });

  it.each([
    ['another seat', aWorker({ id: 'other', seat: 'home' })],
    ['another CLI on a seat of the same name', aWorker({ id: 'other', seat: 'a', adapter: 'gemini' })],
  ])('does not resume on %s, which does not have the conversation', async (_what, other) => {
    const play = new Play({ fleet: [a, other], attempts: [began({ kind: 'server-error' }), done] });
    await play.run();
    expect(play.handovers).toEqual(['prompt', 'brief']);
  });

  it('briefs also the same CLI when it never named its conversation', async () => {
    const nameless: PlayedAttempt = () => ({
      ...began({ kind: 'overloaded' })(a, undefined as never),
      progress: { committed: true },
    });
    const play = new Play({ fleet: [a], attempts: [nameless, done] });
    await play.run();
    expect(play.handovers).toEqual(['prompt', 'brief']);
  });

  it('goes on to hand over what was begun when the next worker never began', async () => {
    const play = new Play({
      fleet: [a, b, aWorker({ id: 'c', adapter: 'gemini' })],
      attempts: [began(), refused(), done],
    });
    await play.run();
    expect(play.handovers).toEqual(['prompt', 'brief', 'brief']);
  });
});

describe('a clean run', () => {
  it('leaves what an operator added: that was not about room', async () => {
    const byHand = aCooldown({
      target: { type: 'seat', seat: seatId('a') },
      since: epochMs(NOW - HOUR),
      until: inHours(9),
      source: 'operator',
    });
    const play = new Play({
      fleet: [aWorker({ id: 'a' })],
      policy: { ignoreCooldowns: true },
      cooldowns: [byHand],
      attempts: [done],
    });
    await play.run();
    expect(play.cooldowns).toEqual([byHand]);
  });

  const seat = (since: number) =>
    aCooldown({ target: { type: 'seat', seat: seatId('a') }, since: epochMs(since), until: inHours(9) });

  it('ends the older cooldowns of its worker, when it ran in spite of them', async () => {
    const model = {
      ...seat(NOW - MINUTE),
      target: { type: 'model' as const, seat: seatId('a'), model: 'opus' },
    };
    const other = aCooldown({ target: { type: 'seat', seat: seatId('b') }, until: inHours(9) });
    const play = new Play({
      fleet: [aWorker({ id: 'a', model: 'opus' })],
      policy: { ignoreCooldowns: true },
      cooldowns: [seat(NOW - HOUR), model, other],
      attempts: [done],
    });
    await play.run();
    expect(play.cooldowns).toEqual([other]);
    expect(play.eventsOf('cooldown.cleared')).toMatchObject([{ worker: 'a', by: 'clean-run' }]);
  });

  it('leaves alone what others met while it ran, though that lasts longer than what it ends', async () => {
    const newer = { ...seat(NOW + MINUTE), until: inHours(20) };
    const play = new Play({
      fleet: [a],
      policy: { ignoreCooldowns: true },
      cooldowns: [seat(NOW - HOUR)],
      attempts: [
        (worker, session) => {
          play.clock.pass(2 * MINUTE);
          play.cooldowns = [...play.cooldowns, newer];
          return done(worker, session);
        },
      ],
    });
    await play.run();
    expect(play.cooldowns).toEqual([newer]);
  });

  it('ends none of a model that it did not run', async () => {
    const opus = {
      ...seat(NOW - HOUR),
      target: { type: 'model' as const, seat: seatId('a'), model: 'opus' },
    };
    const play = new Play({
      fleet: [aWorker({ id: 'a', model: 'sonnet' })],
      cooldowns: [opus],
      attempts: [done],
    });
    await play.run();
    expect(play.cooldowns).toEqual([opus]);
    expect(play.eventsOf('cooldown.cleared')).toEqual([]);
  });
});

describe('a brief', () => {
  const working = (count: number, words: string): ReturnType<PlayedAttempt> => {
    const transcript = new Transcript();
    for (let step = 1; step <= count; step += 1) {
      const what = {
        id: `${words}-${String(step)}`,
        name: 'Edit',
        detail: `${words}/file-${String(step)}.ts`,
      };
      transcript.add({ type: 'tool', ...what, status: 'done' });
    }
    transcript.add({ type: 'text', text: `${words}: almost there`, delta: false });
    return { progress: { committed: true, ...transcript.summary() } };
  };
  const refusedAfter =
    (work: ReturnType<PlayedAttempt>): PlayedAttempt =>
    (worker, session) => ({
      ...refused({}, true)(worker, session),
      ...work,
    });
  const fleet = ['claude', 'codex', 'gemini'].map((name) => aWorker({ id: name, adapter: name }));

  it('tells the third worker what the first two did', async () => {
    const play = new Play({
      fleet,
      attempts: [refusedAfter(working(1, 'one')), refusedAfter(working(1, 'two')), done],
    });
    await play.run();
    const third =
      play.steps.flatMap((step) => (step.type === 'attempt' ? [step.handover.prompt] : []))[2] ?? '';
    expect(third).toContain('claude: Edit: one/file-1.ts');
    expect(third).toContain('codex: Edit: two/file-1.ts');
    expect(third).toContain('two: almost there');
  });

  it('is bounded, keeps the end and says how much it leaves out', async () => {
    const play = new Play({ fleet, attempts: [refusedAfter(working(2_000, 'w'.repeat(150))), done] });
    await play.run();
    const second =
      play.steps.flatMap((step) => (step.type === 'attempt' ? [step.handover.prompt] : []))[1] ?? '';
    expect(second.length).toBeLessThan(15_000);
    expect(second).toContain('file-2000.ts');
    const listed = second.split('\n').filter((line) => line.startsWith('- Edit')).length;
    expect(second).toContain(`(${String(2_000 - listed)} earlier steps are left out)`);
    expect(second).toContain('almost there');
  });
});
