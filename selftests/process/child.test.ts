import { describe, expect, it } from 'vitest';
import { childStarter } from '../../src/system/child.ts';
import { systemClock } from '../../src/system/clock.ts';
import { childFixture, eventually, linesOf, startProgram, startShell } from '../rig/children.ts';
import { processesWith } from '../rig/live-processes.ts';

const textsOf = (lines: readonly { readonly text: string }[]): readonly string[] =>
  lines.map(({ text }) => text);

describe('a child', () => {
  it('leads a process group of its own', async () => {
    const child = await startShell('sleep 1000');
    // Throws when there is no group of that number; there is one only when somebody leads it.
    expect(process.kill(-child.pid, 0)).toBe(true);
    await child.end();
  });

  it('has its stdin closed from the start', async () => {
    const child = await startShell('cat; echo over');
    expect(textsOf(await linesOf(child))).toEqual(['over']);
  });

  it('reads what it is given on stdin, to its end', async () => {
    const child = await startShell('wc -c', 'a'.repeat(1_000_000));
    expect(textsOf(await linesOf(child)).map(Number)).toEqual([1_000_000]);
  });

  it('may leave its stdin unread', async () => {
    const child = await startShell('echo done; exit 3', 'a'.repeat(5_000_000));
    expect(textsOf(await linesOf(child))).toEqual(['done']);
    expect(await child.exited).toEqual({ code: 3, signal: undefined });
  });

  it('says with which code it exited, or which signal ended it', async () => {
    expect(await (await startShell('exit 7')).exited).toEqual({ code: 7, signal: undefined });
    expect(await (await startShell('kill -SEGV $$')).exited).toEqual({ code: undefined, signal: 'SIGSEGV' });
  });

  it('is read on both channels, each in its own order', async () => {
    const lines = await linesOf(await startShell('for i in 1 2 3; do echo out$i; echo err$i >&2; done'));
    const on = (wanted: string) => textsOf(lines.filter(({ channel }) => channel === wanted));
    expect(on('stdout')).toEqual(['out1', 'out2', 'out3']);
    expect(on('stderr')).toEqual(['err1', 'err2', 'err3']);
  });

  it('is read line by line as it prints, not at its end', async () => {
    const child = await startShell('echo first; read never < /dev/null; sleep 600');
    const iterator = child.lines[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ text: 'first' });
    await child.end();
    expect(await iterator.next()).toMatchObject({ done: true });
  });

  it('may close stdout early and go on', async () => {
    const child = await startShell('echo said; exec >&- 2>&-; sleep 0.3; exit 5');
    expect(textsOf(await linesOf(child))).toEqual(['said']);
    expect(await child.exited).toEqual({ code: 5, signal: undefined });
  });

  it('loses nothing of five megabytes it printed before it exited, however slowly it is read', async () => {
    const child = await startShell('head -c 5000000 /dev/zero | tr "\\0" x | fold -w 99; echo; echo last');
    let size = 0;
    let taken = 0;
    const lines = await linesOf(child, async ({ text }) => {
      size += text.length;
      taken += 1;
      if (taken % 2_000 === 0) await systemClock.sleep(20 as never);
    });
    expect(size).toBe(5_000_000 + 'last'.length);
    expect(lines.at(-1)?.text).toBe('last');
  });

  it.each([
    ['ENOENT', '/nowhere/at/all', []],
    ['EACCES', '/etc', []],
    ['E2BIG', '/bin/echo', ['a'.repeat(3_000_000)]],
  ])('that cannot be started is told with %s', async (code, program, args) => {
    const command = { program, args, cwd: '/', env: {}, stdin: undefined };
    expect(await childStarter(systemClock)(command)).toMatchObject({ ok: false, error: { code } });
  });
});

describe('the end of a child', () => {
  it('comes at once for a group that hears SIGTERM', async () => {
    const child = await startShell('sleep 1000 & sleep 1000 & echo up; wait');
    await eventually('all three are there', () => processesWith(child.mark).length === 3);
    const since = performance.now();
    await child.end();
    expect(performance.now() - since).toBeLessThan(1_900);
    expect(processesWith(child.mark)).toEqual([]);
    expect((await child.exited).signal).toBe('SIGTERM');
  });

  it('comes after two seconds, by SIGKILL, for one that does not hear', async () => {
    const child = await startProgram(childFixture('deaf.sh'), []);
    const iterator = child.lines[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ text: 'ready' });
    const since = performance.now();
    await child.end();
    expect(performance.now() - since).toBeGreaterThanOrEqual(1_990);
    expect((await child.exited).signal).toBe('SIGKILL');
    expect(processesWith(child.mark)).toEqual([]);
  });

  it('takes the grandchildren along, also one that does not hear', async () => {
    const child = await startShell(`sleep 1000 & sleep 1000 & ${childFixture('deaf.sh')} & wait`);
    const iterator = child.lines[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ text: 'ready' });
    await child.end();
    await eventually('all are gone', () => processesWith(child.mark).length === 0, 3_000);
  });

  it('takes along a stopped grandchild, which cannot hear anything', async () => {
    const child = await startShell('sh -c "kill -STOP \\$\\$" & echo up; wait');
    await eventually('both are there', () => processesWith(child.mark).length === 2);
    await child.end();
    await eventually('all are gone', () => processesWith(child.mark).length === 0, 3_000);
  });

  it('takes the grandchildren along when the leader exits by itself and leaves them', async () => {
    const child = await startShell(`sleep 1000 & ${childFixture('deaf.sh')} & echo up; exit 0`);
    const lines = await linesOf(child);
    expect(textsOf(lines)).toContain('up');
    expect(await child.exited).toEqual({ code: 0, signal: undefined });
    await eventually('all are gone', () => processesWith(child.mark).length === 0, 3_000);
  });

  it.runIf(process.platform === 'linux')(
    'takes along who has left the group and lost its parent: the mark tells whose it is',
    async () => {
      const child = await startShell('(setsid sleep 1000 &); echo up; exec sleep 1000');
      await eventually('both are there', () => processesWith(child.mark).length === 2);
      await child.end();
      expect(processesWith(child.mark)).toEqual([]);
    },
  );

  it('may be asked for many times, and after it', async () => {
    const child = await startShell('sleep 1000');
    await Promise.all([child.end(), child.end(), child.end()]);
    await child.end();
    expect((await child.exited).signal).toBe('SIGTERM');
  });
});

describe('somebody who left the group and holds the pipes', () => {
  it.each(['silent', 'loud'])('does not keep us, %s as they are', async (manner) => {
    const script = `ESCAPEE=${manner} exec "${process.execPath}" "${childFixture('escapee.js')}"`;
    const child = await startShell(script);
    let answers = 0;
    for await (const { text } of child.lines) {
      if (text.includes('the answer')) answers += 1;
    }
    expect(answers).toBe(1);
    expect(await child.exited).toEqual({ code: 0, signal: undefined });
  });
});

describe('children that are gone at once, many at a time', () => {
  it('lose nothing of what they printed, however late the loop comes to read it', async () => {
    // Whatever is waited for has passed at once: as when the machine is so busy that nothing is read meanwhile.
    const start = childStarter({ ...systemClock, sleep: () => Promise.resolve() });
    const command = { program: '/bin/echo', args: ['last words'], cwd: '/', env: {}, stdin: undefined };
    const lastWords = async (): Promise<readonly string[]> => {
      const started = await start(command);
      return started.ok ? textsOf(await linesOf(started.value)) : [started.error.message];
    };
    for (let round = 0; round < 4; round += 1) {
      const said = await Promise.all(Array.from({ length: 10 }, lastWords));
      expect(said.flat()).toEqual(said.map(() => 'last words'));
    }
  });
});
