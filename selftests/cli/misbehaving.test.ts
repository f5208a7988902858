import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finished, Stage } from '../rig/cli.ts';
import { aStage, playing } from '../rig/cli.ts';

const ANSWER = '{"type":"result","subtype":"success","is_error":false,"result":"the answer"}';

function expectSentence({ stderr }: Finished, ...words: readonly string[]): void {
  for (const word of words) expect(stderr).toContain(word);
  expect(stderr).not.toMatch(/^ {4}at |bug of ours|undefined|\[object/m);
}

describe('a CLI that fails in its own way exits with 1 and earns no cooldown', () => {
  it.each<[string, string, readonly string[]]>([
    ['exits with 0 having said nothing', 'exit 0', ['claude failed: it exited with 0 and said nothing']],
    ['exits with 3 having said nothing', 'exit 3', ['claude failed: it exited with 3 and said nothing']],
    ['dies by a signal', 'kill -SEGV $$', ['claude failed: it was ended by SIGSEGV']],
    ['prints binary', 'head -c 300000 /dev/urandom; exit 3', ['claude failed: it exited with 3']],
    [
      'prints one endless line',
      'head -c 20000000 /dev/zero; exit 3',
      ['longer than we keep', 'exited with 3'],
    ],
    ['prints half an event', 'printf \'{"type":"result","subty\'; exit 0', ['without a result']],
    ['prints JSON that is none of its events', 'echo "[1]"; echo 7; echo null; exit 1', ['exited with 1']],
    [
      'says something on stderr',
      'echo "cannot open the thing" >&2; exit 9',
      ['exited with 9', 'cannot open the thing'],
    ],
  ])('%s', async (_, script, words) => {
    const stage = aStage();
    stage.fake('claude', script);
    const finished = await stage.run(['run', 'x']);
    expect(finished).toMatchObject({ code: 1, stdout: '' });
    expectSentence(finished, 'secondwind: claude failed: ', ...words);
    expect(stage.cooldowns()).toEqual([]);
    expect(stage.alive()).toEqual([]);
  });
});

describe('a CLI that is not well behaved gets its answer through all the same when it', () => {
  it.each([
    ['closes stdout early and goes on', `echo '${ANSWER}'; exec >&- 2>&-; sleep 0.5`],
    ['leaves somebody behind', `echo '${ANSWER}'; sleep 900 & exit 0`],
    [
      'leaves somebody behind who does not hear SIGTERM',
      `echo '${ANSWER}'; (trap '' TERM; sleep 900) & exit 0`,
    ],
    [
      'prints a banner, binary and broken lines around it',
      `echo hello; head -c 9999 /dev/urandom; echo; echo '${ANSWER}'; echo '{'`,
    ],
    ['ends its lines with CR LF', `printf '%s\\r\\n' '${ANSWER}'`],
    ['does not end its last line', `printf '%s' '${ANSWER}'`],
    ['trickles', `printf '%s' '${ANSWER.slice(0, 30)}'; sleep 0.3; printf '%s' '${ANSWER.slice(30)}'`],
    ['exits with 1 after its answer', `echo '${ANSWER}'; exit 1`],
  ])('%s', async (_, script) => {
    const stage = aStage();
    stage.fake('claude', script);
    expect(await stage.run(['run', 'x'])).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(stage.alive()).toEqual([]);
    expect(stage.cooldowns()).toEqual([]);
  });

  it.each(['silent', 'loud'])(
    'leaves somebody in another session who holds its pipes, %s',
    async (manner) => {
      const stage = aStage();
      stage.link('claude', 'escapee.js');
      const finished = await stage.run(['run', 'x'], { env: { ESCAPEE: manner } });
      expect(finished).toMatchObject({ code: 0, stdout: 'the answer\n' });
    },
  );
});

it('kills a sleeper that does not hear SIGTERM before the next worker starts', async () => {
  const stage = aStage();
  const retry =
    '{"type":"system","subtype":"api_retry","retry_delay_ms":7199337,"error_status":429,"error":"rate_limit"}';
  stage.fake('sleeper', `trap '' TERM; echo '${retry}'; while :; do sleep 1; done`);
  const command = [join(stage.bin, 'sleeper')];
  stage.configure({ workers: [{ id: 'claude', adapter: 'claude', command }, playing('gemini', 'ok')] });
  const { code, events } = await stage.run(['run', '--json', 'x']);
  expect(code).toBe(0);
  const ended = events.find(({ type, worker }) => type === 'attempt.ended' && worker === 'claude');
  expect(Number(ended?.['durationMs'])).toBeGreaterThan(1_900);
  expect(stage.cooldowns()).toMatchObject([{ worker: 'claude', kind: 'rate-limit' }]);
  expect(stage.alive()).toEqual([]);
});

describe('a CLI that cannot be found exits with 69 and leaves no rest behind when its place holds', () => {
  it.each<[string, (path: string) => void, string]>([
    ['nothing', () => undefined, 'claude: not installed'],
    [
      'a link to nowhere',
      (path) => {
        symlinkSync('/nowhere/claude', path);
      },
      'claude: not installed',
    ],
    [
      'a folder',
      (path) => {
        mkdirSync(path);
      },
      'claude: not installed',
    ],
    [
      'a file that may not be executed',
      (path) => {
        writeFileSync(path, '#!/bin/sh\n');
      },
      'is not executable',
    ],
  ])('%s', async (_, make, words) => {
    const stage = aStage();
    make(join(stage.bin, 'claude'));
    const finished = await stage.run(['run', '-w', 'claude', 'x']);
    expect(finished).toMatchObject({ code: 69, stdout: '' });
    expectSentence(finished, words, 'npm install -g @anthropic-ai/claude-code');
    expect(stage.cooldowns()).toEqual([]);
  });
});

it('says that a CLI cannot be started when its interpreter is missing, and asks the next', async () => {
  const stage = aStage();
  writeFileSync(join(stage.bin, 'claude'), '#!/no/such/interpreter\n');
  chmodSync(join(stage.bin, 'claude'), 0o755);
  const alone = await stage.run(['run', '-w', 'claude', 'x'], { env: { SECONDWIND_COOLDOWN: '0' } });
  expect(alone).toMatchObject({ code: 69, stdout: '' });
  expectSentence(alone, 'cannot be started');
  stage.configure({ workers: [{ id: 'claude', adapter: 'claude' }, playing('gemini', 'ok')] });
  expect((await stage.run(['run', 'x'])).code).toBe(0);
  expect(stage.cooldowns()).toMatchObject([{ worker: 'claude', kind: 'cli-unavailable' }]);
});

describe('a state home that takes nothing does not stop a run', () => {
  const spoiled: readonly (readonly [string, (stage: Stage) => void])[] = [
    [
      'is a file',
      (stage) => {
        writeFileSync(stage.stateHome, 'not a folder');
      },
    ],
    [
      'lies in a file',
      (stage) => {
        writeFileSync(join(stage.home, 'f'), '');
        symlinkSync('f/deep', stage.stateHome);
      },
    ],
    [
      'is a link to nowhere that can be',
      (stage) => {
        symlinkSync('/proc/nowhere', stage.stateHome);
      },
    ],
  ];

  it.each(spoiled)(
    'when it %s: what would have rested is not asked again, and it says so',
    async (_, spoil) => {
      const stage = aStage();
      spoil(stage);
      const retry =
        '{"type":"system","subtype":"api_retry","retry_delay_ms":7199337,"error_status":429,"error":"rate_limit"}';
      stage.fake('claude', `echo '${retry}'; sleep 900`);
      const finished = await stage.run(['run', 'x']);
      expect(finished).toMatchObject({ code: 75, stdout: '' });
      expectSentence(finished, 'claude │ its rest is not recorded: ', 'The first back is claude, at ');
      expect(finished.stderr.match(/claude │ starts/g)).toHaveLength(1);
    },
  );

  it.each(spoiled)('when it %s: an answer is an answer', async (_, spoil) => {
    const stage = aStage();
    spoil(stage);
    stage.link('claude', 'answer.js');
    expect(await stage.run(['run', 'x'])).toMatchObject({ code: 0, stdout: 'the answer\n' });
  });

  it.each(spoiled)('when it %s: what is asked for by hand fails and says why', async (_, spoil) => {
    const stage = aStage();
    spoil(stage);
    const finished = await stage.run(['cooldown', 'add', 'claude', '--for', '1h']);
    expect(finished).toMatchObject({ code: 1, stdout: '' });
    expectSentence(finished, 'secondwind: ', stage.stateHome);
  });
});
