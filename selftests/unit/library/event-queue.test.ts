import { describe, expect, it } from 'vitest';
import { sessionId, workerId } from '../../../src/core/ids.ts';
import { epochMs } from '../../../src/core/time.ts';
import type { ToldEvent } from '../../../src/library/event.ts';
import { EventQueue } from '../../../src/library/event-queue.ts';

const stamp = { at: epochMs(0), session: sessionId('s'), worker: workerId('claude') };
const text = (said: string): ToldEvent => ({ type: 'attempt.text', text: said, delta: true, ...stamp });
const cleared = (): ToldEvent => ({ type: 'cooldown.cleared', by: 'probe', ...stamp });

async function all(queue: EventQueue): Promise<readonly ToldEvent[]> {
  const events: ToldEvent[] = [];
  for await (const event of queue.read()) events.push(event);
  return events;
}

describe('the events of a run', () => {
  it('wait for a reader who comes late', async () => {
    const queue = new EventQueue();
    queue.push(text('one'));
    queue.push(cleared());
    queue.end();
    expect(await all(queue)).toEqual([text('one'), cleared()]);
  });

  it('reach a reader who is there as they come, in their order', async () => {
    const queue = new EventQueue();
    const read = all(queue);
    const told = Array.from({ length: 100 }, (_, index) => text(String(index)));
    for (const event of told) {
      queue.push(event);
      if (Number(event.type === 'attempt.text' && event.text) % 7 === 0) await Promise.resolve();
    }
    queue.end();
    expect(await read).toEqual(told);
  });

  it.each([
    ['many', Array.from({ length: 30_000 }, () => text('.'))],
    ['long', Array.from({ length: 20 }, () => text('.'.repeat(4 * 1_024 * 1_024)))],
  ])(
    'are bounded where too %s wait: what is said is left out, and what happens never',
    async (_what, said) => {
      const queue = new EventQueue();
      for (const event of said) queue.push(event);
      for (let count = 0; count < 20; count += 1) queue.push(cleared());
      queue.end();
      const read = await all(queue);
      const kept = read.filter(({ type }) => type === 'attempt.text');
      expect(kept.length).toBeLessThan(said.length);
      expect(kept).toEqual(said.slice(0, kept.length));
      expect(read.filter(({ type }) => type === 'cooldown.cleared')).toHaveLength(20);
      // Where something is missing it is said, once and with how much.
      const left = String(said.length - kept.length);
      expect(read.filter(({ type }) => type === 'attempt.note')).toMatchObject([
        { text: `${left} events are left out here: they came faster than they were read` },
      ]);
      expect(read[kept.length]?.type).toBe('attempt.note');
    },
  );

  it('come again in full once the reader has caught up', async () => {
    const queue = new EventQueue();
    const reader = queue.read();
    for (let count = 0; count < 10_001; count += 1) queue.push(text('.'));
    for (let count = 0; count < 10_000; count += 1) await reader.next();
    queue.push(text('again'));
    expect((await reader.next()).value).toMatchObject({ type: 'attempt.note' });
    expect((await reader.next()).value).toEqual(text('again'));
  });

  it('are not kept for a reader who has left, and are read once', async () => {
    const queue = new EventQueue();
    queue.push(text('one'));
    for await (const event of queue.read()) {
      expect(event).toEqual(text('one'));
      break;
    }
    queue.push(text('two'));
    queue.end();
    await expect(all(queue)).rejects.toThrow('read once');
  });
});
