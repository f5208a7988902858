import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Adapter } from '../../../src/workers/adapter.ts';
import { claude } from '../../../src/workers/adapters/claude.ts';
import { codex } from '../../../src/workers/adapters/codex.ts';
import { gemini } from '../../../src/workers/adapters/gemini.ts';
import { PERMISSIONS } from '../../../src/core/worker.ts';
import { anAssignment, aWorker } from '../../rig/builders.ts';

const ALL: readonly (readonly [string, Adapter])[] = [claude, codex, gemini].map((one) => [one.name, one]);

/** Whether `part` stands in `args` as it is, in a row. */
function holds(args: readonly string[], part: readonly string[]): boolean {
  return args.some((_, start) => part.every((word, index) => args[start + index] === word));
}

describe('the whole command line', () => {
  it.each([
    [
      claude,
      'claude -p --output-format stream-json --verbose --permission-mode acceptEdits -- fix the tests',
      'claude -p --output-format stream-json --verbose --permission-mode bypassPermissions --model opus --resume abc -- fix the tests',
    ],
    [
      codex,
      'codex exec --sandbox workspace-write --json --skip-git-repo-check -- fix the tests',
      'codex exec --sandbox danger-full-access --json --skip-git-repo-check --model opus resume abc -- fix the tests',
    ],
    [
      gemini,
      'gemini --output-format stream-json --skip-trust --approval-mode auto_edit --prompt=fix the tests',
      'gemini --output-format stream-json --skip-trust --approval-mode yolo --model opus --resume abc --prompt=fix the tests',
    ],
  ] as const)('is what the CLI takes: %#', (adapter, plain, full) => {
    const line = (...[task, worker]: Parameters<Adapter['command']>): string => {
      const { program, args } = adapter.command(task, worker);
      return [program, ...args].join(' ');
    };
    expect(line(anAssignment(), aWorker())).toBe(plain);
    expect(line(anAssignment({ permissions: 'full', resume: 'abc' }), aWorker({ model: 'opus' }))).toBe(full);
  });
});

describe.each(ALL)('%s', (_name, adapter) => {
  it.each(PERMISSIONS)('says the permissions %s in its own words, and only those', (permissions) => {
    const { args } = adapter.command(anAssignment({ permissions }), aWorker());
    expect(holds(args, adapter.permissions[permissions])).toBe(true);
    for (const other of PERMISSIONS.filter((one) => one !== permissions)) {
      expect(holds(args, adapter.permissions[other])).toBe(false);
    }
  });

  it.each([
    { asked: undefined, own: undefined, used: undefined },
    { asked: undefined, own: 'own', used: 'own' },
    { asked: 'asked', own: undefined, used: 'asked' },
    { asked: 'asked', own: 'own', used: 'asked' },
  ])('runs the model asked for, else the own one: $asked, $own', ({ asked, own, used }) => {
    const { args } = adapter.command(anAssignment({ model: asked }), aWorker({ model: own }));
    expect(args.filter((_, index) => args[index - 1] === '--model')).toEqual(
      used === undefined ? [] : [used],
    );
  });

  it.each([
    ['begins with a dash', '-rf is an option of rm; explain it'],
    ['is one option', '--dangerously-skip-permissions'],
    ['is two dashes', '--'],
    ['holds two dashes', 'run npm test -- --watch'],
    ['has several lines', 'first\n\nsecond\r\nthird'],
    ['has quotes and dollars', `say "it's $HOME" \`now\``],
    ['is not ASCII', 'żółw 亀 🐢'],
    ['has 96 KiB to the byte', 'x'.repeat(96 * 1024)],
  ])('hands a prompt over unchanged that %s, where no option can be meant', (_what, prompt) => {
    const { args, stdin } = adapter.command(anAssignment({ prompt }), aWorker());
    expect(stdin).toBeUndefined();
    // An option's value that is glued to it, or what follows two dashes: neither is ever read as an option.
    const safe = adapter.name === 'gemini' ? [`--prompt=${prompt}`] : ['--', prompt];
    expect(args.slice(-safe.length)).toEqual(safe);
    expect(args.slice(0, -safe.length)).toEqual(
      adapter.command(anAssignment({ prompt: 'p' }), aWorker()).args.slice(0, -safe.length),
    );
  });

  it.each([
    ['is longer than an argument may be', 'x'.repeat(96 * 1024 + 1)],
    ['is longer in bytes, though not in characters', '亀'.repeat(40_000)],
    ['holds a NUL, at which an argument would end', 'what is a \0 byte?'],
  ])('hands a prompt over through stdin that %s', (_what, prompt) => {
    const { args, stdin } = adapter.command(anAssignment({ prompt }), aWorker());
    expect(stdin).toBe(prompt);
    expect(args.join(' ')).not.toContain(prompt.slice(0, 12));
    expect(args.at(-1)).toBe(
      { claude: 'acceptEdits', codex: '-', gemini: 'auto_edit' }[adapter.name] ?? 'no such adapter',
    );
  });

  it('hands every prompt over whole, by one way or the other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (prompt) => {
        const { args, stdin } = adapter.command(anAssignment({ prompt }), aWorker());
        const argument = adapter.name === 'gemini' ? `--prompt=${prompt}` : prompt;
        expect(stdin ?? args.at(-1)).toBe(stdin === undefined ? argument : prompt);
      }),
      { numRuns: 300 },
    );
  });

  it("puts the worker's arguments after ours and the command line's after those, so that the last word is the user's", () => {
    const { args } = adapter.command(
      anAssignment({ extraArgs: ['--extra', 'e'], model: 'm', resume: 'abc' }),
      aWorker({ args: ['--own', 'o'] }),
    );
    const place = (word: string): number => args.indexOf(word);
    expect(holds(args, ['--own', 'o', '--extra', 'e'])).toBe(true);
    expect(place('--own')).toBeGreaterThan(place('--model'));
    expect(place('e')).toBeLessThan(args.length - 1);
  });

  it('resumes the conversation it is told of, and none otherwise', () => {
    expect(adapter.command(anAssignment(), aWorker()).args.join(' ')).not.toContain('resume');
    const { args } = adapter.command(anAssignment({ resume: '7fc8e478-1a3e' }), aWorker());
    expect(args[args.indexOf('7fc8e478-1a3e') - 1]).toMatch(/^(--)?resume$/);
  });
});

describe('what a subscription pays for', () => {
  it('is kept from being billed to a key that lies in the environment', () => {
    const { env } = claude.command(anAssignment(), aWorker({ billing: 'subscription' }));
    expect(env).toEqual({ ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: undefined });
  });

  it.each([undefined, 'api'] as const)('leaves the key where it is with billing %s', (billing) => {
    expect(claude.command(anAssignment(), aWorker({ billing })).env).toEqual({});
  });
});

it('keeps a Gemini without a login from waiting for a browser', () => {
  expect(gemini.command(anAssignment(), aWorker()).env).toEqual({ NO_BROWSER: 'true' });
});
