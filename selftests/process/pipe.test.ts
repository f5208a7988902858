import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { merge } from '../../src/system/channels.ts';
import { systemClock } from '../../src/system/clock.ts';
import { openOwnPipe } from '../../src/system/own-pipe.ts';
import type { Pipe } from '../../src/system/pipe.ts';
import { pipeOf } from '../../src/system/pipe.ts';
import { eventually } from '../rig/children.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** Two pipes, one of each kind, into which a shell script writes as its stdout and its stderr. */
async function pipesOf(script: string): Promise<{ readonly stdout: Pipe; readonly stderr: Pipe }> {
  const own = await openOwnPipe();
  if (own === undefined) throw new Error('expected a pipe of our own');
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', own.theirs, 'pipe'] });
  own.theirs.destroy();
  onTestFinished(() => void child.kill('SIGKILL'));
  return { stdout: own.pipe, stderr: pipeOf(child.stderr) };
}

/** A listener that keeps what it is told, as it is told it. */
function recorder() {
  const chunks: string[] = [];
  const ends: (Error | undefined)[] = [];
  return {
    chunks,
    ends,
    listener: {
      chunk: (chunk: Buffer) => void chunks.push(chunk.toString('latin1')),
      end: (error: Error | undefined) => void ends.push(error),
    },
  };
}

describe('a pipe, of either kind', () => {
  it.each(['stdout', 'stderr'] as const)(
    'gives all that comes, in order, then its end, once: %s',
    async (channel) => {
      const pipes = await pipesOf(
        `for n in 1 2 3 4 5 6 7 8 9; do printf '%0100000d' $n; done | cat ${channel === 'stderr' ? '>&2' : ''}`,
      );
      const { chunks, ends, listener } = recorder();
      const pipe = pipes[channel];
      pipe.listen({
        ...listener,
        chunk: (chunk) => {
          listener.chunk(chunk);
          pipe.taken();
        },
      });
      await eventually('the end', () => ends.length > 0 && pipe.isClosed);
      expect(chunks.join('')).toBe(
        [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => String(n).padStart(100_000, '0')).join(''),
      );
      expect(ends).toEqual([undefined]);
      expect(pipe.bytesRead).toBe(900_000);
      expect(pipe.isIdle).toBe(true);
    },
  );

  it.each(['stdout', 'stderr'] as const)(
    'hands over two chunks that are not taken, and not a third, and holds the writer up: %s',
    async (channel) => {
      const done = join(tempFolder(), 'done');
      const redirect = channel === 'stderr' ? '>&2' : '';
      const pipes = await pipesOf(`head -c 4000000 /dev/zero ${redirect}; : > "${done}"`);
      const { chunks, ends, listener } = recorder();
      const pipe = pipes[channel];
      pipe.listen(listener);
      await eventually('two chunks', () => chunks.length === 2);
      expect(pipe.isIdle).toBe(false);
      for (let taken = 0; ends.length === 0;) {
        // However often the loop turns, no more comes before one is taken.
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
        expect(chunks.length - taken).toBeLessThanOrEqual(2);
        if (chunks.join('').length < 2_000_000) expect(existsSync(done)).toBe(false);
        for (; taken < chunks.length; taken += 1) pipe.taken();
        await new Promise(setImmediate);
      }
      expect(chunks.join('')).toHaveLength(4_000_000);
    },
  );

  it.each(['stdout', 'stderr'] as const)(
    'tells of what came before it was listened to: %s',
    async (channel) => {
      const folder = tempFolder();
      const redirect = channel === 'stderr' ? '>&2' : '';
      const pipes = await pipesOf(
        `echo early ${redirect}; : > "${join(folder, 'said')}"; echo late ${redirect}`,
      );
      await eventually('it to speak', () => existsSync(join(folder, 'said')));
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      const { chunks, ends, listener } = recorder();
      const pipe = pipes[channel];
      pipe.listen({
        ...listener,
        chunk: (chunk) => {
          listener.chunk(chunk);
          pipe.taken();
        },
      });
      await eventually('the end', () => ends.length > 0);
      expect(chunks.join('')).toBe('early\nlate\n');
    },
  );

  it.each(['stdout', 'stderr'] as const)(
    'that was over before it was listened to says so: %s',
    async (channel) => {
      const pipe = (await pipesOf('sleep 60'))[channel];
      pipe.destroy();
      await eventually('it to be closed', () => pipe.isClosed);
      const { ends, listener } = recorder();
      pipe.listen(listener);
      await eventually('its end', () => ends.length > 0);
      expect(ends).toEqual([undefined]);
    },
  );
});

describe('both channels', () => {
  it('come in the order in which they were written, when each waited for the other', async () => {
    const folder = tempFolder();
    const [first, second] = [join(folder, '1'), join(folder, '2')];
    const until = (path: string) => `while ! [ -e "${path}" ]; do sleep 0.01; done`;
    const { stdout, stderr } = await pipesOf(`echo a; ${until(first)}; echo b >&2; ${until(second)}; echo c`);
    const told: string[] = [];
    for await (const { channel, lines } of merge(stdout, stderr, systemClock)) {
      for (const { text } of lines()) told.push(`${channel} ${text}`);
      writeFileSync(told.length === 1 ? first : second, '');
    }
    expect(told).toEqual(['stdout a', 'stderr b', 'stdout c']);
  });

  it('fail as their pipe does, and both are let go', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const chunks = merge(pipeOf(stdout), pipeOf(stderr), systemClock);
    stdout.write('a\n');
    expect((await chunks.next()).done).toBe(false);
    stdout.destroy(new Error('the disk is on fire'));
    await expect(chunks.next()).rejects.toThrow('the disk is on fire');
    expect(stderr.destroyed).toBe(true);
  });

  it('are let go by a taker that stops', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    stdout.write('a\nb\n');
    for await (const { lines } of merge(pipeOf(stdout), pipeOf(stderr), systemClock))
      if ([...lines()].length > 0) break;
    expect([stdout.destroyed, stderr.destroyed]).toEqual([true, true]);
  });
});

describe('a pipe that is read into our own memory', () => {
  it('leaves nothing behind where it was made', async () => {
    const folder = tempFolder();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const own = await openOwnPipe();
    own?.pipe.destroy();
    own?.theirs.destroy();
    expect(own).toBeDefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['in a folder that is not there', (folder: string) => join(folder, 'none')],
    ['where the path of a socket would be too long', (folder: string) => folder],
  ])('is not made %s: Node’s own has to do', async (_, within) => {
    const folder = join(tempFolder(), 'x'.repeat(90));
    mkdirSync(folder);
    vi.stubEnv('TMPDIR', within(folder));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await openOwnPipe()).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });
});
