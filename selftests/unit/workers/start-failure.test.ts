import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { childStarter } from '../../../src/system/child.ts';
import { systemClock } from '../../../src/system/clock.ts';
import type { SpawnCommand, StartFailure } from '../../../src/system/spawn.ts';
import { claude } from '../../../src/workers/adapters/claude.ts';
import { cannotStart } from '../../../src/workers/start-failure.ts';
import { aWorker } from '../../rig/builders.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

/** The failure of a child that cannot be started, as the system really reports it. */
async function failureOf(command: Partial<SpawnCommand>): Promise<StartFailure> {
  const started = await childStarter(systemClock)({
    ...{ program: process.execPath, args: ['-e', '0'], cwd: '.', env: {}, stdin: undefined },
    ...command,
  });
  if (started.ok) throw new Error('it was started after all');
  return started.error;
}

describe('a child that cannot be started', () => {
  it('rests its worker when the program is not there', async () => {
    const verdict = cannotStart(claude, aWorker(), await failureOf({ program: '/nowhere/claude' }));
    expect(verdict).toMatchObject({
      type: 'refused',
      signal: { kind: 'cli-unavailable', scope: 'seat', reason: 'claude cannot be started (ENOENT)' },
    });
  });

  it('rests its worker when the program is no program', async () => {
    const program = join(tempFolder(), 'claude');
    writeFileSync(program, 'not a program');
    chmodSync(program, 0o644);
    const verdict = cannotStart(claude, aWorker({ command: [program] }), await failureOf({ program }));
    expect(verdict).toMatchObject({ type: 'refused', signal: { kind: 'cli-unavailable' } });
    expect(JSON.stringify(verdict)).toContain(program);
  });

  it.each([
    ['gone', 'ENOENT'],
    ['a-file', 'ENOTDIR'],
  ])('says nothing about the worker when the folder to work in is %s', async (name, code) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'a-file'), '');
    const failure = await failureOf({ cwd: join(folder, name) });
    expect(failure.code).toBe(code);
    expect(cannotStart(claude, aWorker(), failure)).toMatchObject({
      ...{ type: 'failed', recognised: true },
      reason: 'the folder it was to work in is not there any more',
    });
  });

  it('blames the task when it is too long for a command line', async () => {
    const failure = await failureOf({ args: ['x'.repeat(4 * 1024 * 1024)] });
    expect(cannotStart(claude, aWorker(), failure)).toMatchObject({
      ...{ type: 'failed', recognised: true, reason: 'the task is too long for a command line' },
    });
  });

  it('is a failure like others when a NUL character got into its words', async () => {
    const failure = await failureOf({ args: ['-e', 'a\0b'] });
    expect(cannotStart(claude, aWorker(), failure)).toMatchObject({ type: 'failed' });
  });

  it.each(['EAGAIN', 'ENOMEM', 'EMFILE', 'unknown'])(
    'says nothing about the worker when the machine refuses with %s',
    (code) => {
      expect(cannotStart(claude, aWorker(), { code, message: 'spawn' })).toMatchObject({ type: 'failed' });
    },
  );
});
