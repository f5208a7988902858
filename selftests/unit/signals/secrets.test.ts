import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretName, SECRETS, secretRemover, withoutKeys } from '../../../src/signals/secrets.ts';

describe('the name of a variable', () => {
  it.each([
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'PGPASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'KEY_2',
    'MY_SECRET_VALUE',
  ])('says that it holds a secret: %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['PATH', 'CLAUDE_CONFIG_DIR', 'KEYBOARD', 'TOKENIZERS_PARALLELISM', 'HOME', 'SSH_AUTH_SOCK'])(
    'says nothing of a secret: %s',
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );
});

describe('a text of which secrets are removed', () => {
  it('keeps paths, addresses and ids', () => {
    const text =
      'git show 0123456789abcdef0123456789abcdef01234567 -- /home/jane/x.ts # jane@example.org req_0123456789';
    expect(withoutKeys(text)).toBe(text);
    expect(secretRemover({ KEY: '/home/jane/x.ts', TOKEN: 'short', PATH: 'git show' })(text)).toBe(text);
  });

  it('holds no value of a secret variable, wherever it stood and however it was written or cut', () => {
    const value = fc
      .string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 40 })
      .map((text) => `k${text.trim()}0123456`);
    fc.assert(
      fc.property(value, fc.string(), fc.string(), fc.nat(), (secret, before, after, cut) => {
        const free = secretRemover({ MY_TOKEN: secret });
        expect(free(`${before}${secret}${after}`)).not.toContain(secret);
        const inJson = JSON.stringify({ said: `${before} ${secret} ${after}` });
        expect(free(inJson)).not.toContain(JSON.stringify(secret).slice(1, -1));
        const beginning = secret.slice(0, 4 + (cut % (secret.length - 4)));
        expect(free(`run -- ${beginning}…`)).not.toContain(` ${beginning}…`);
      }),
    );
  });

  it.each([
    'sk-ant-api03-AbCdEf0123456789',
    'AIzaSyAbCdEf0123456789',
    'ghp_AbCdEf0123456789',
    'AKIAABCDEF0123456789',
    'ya29.AbCdEf0123456789',
  ])('holds no %s right behind a name, a path or a quote either', (key) => {
    for (const before of ['never_seen_', '/', '"', '=', '.', '-', '\\'])
      expect(withoutKeys(`${before}${key}`)).not.toContain(key);
  });
});

describe('the first look at a text', () => {
  it('misses nothing that any form of a secret would find in it', () => {
    const values = [
      'abcdefgh12345678',
      'a-b_c.d~e+f/g=h',
      'x',
      '"quoted value"',
      'user:pass@host',
      ' ',
      '\n',
      '*',
    ];
    const texts = fc
      .array(
        fc.oneof(
          ...SECRETS.map(([pattern]) => fc.stringMatching(withoutLookaround(pattern))),
          fc.constantFrom(...values, ': ', '=', '://', 'git log', 'Z', '_'),
          fc.string({ maxLength: 8 }),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(withoutKeys(text)).toBe(
          SECRETS.reduce((rest, [pattern, put]) => rest.replace(pattern, put), text),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

/** A pattern as texts can be made of it. */
function withoutLookaround({ source, flags }: RegExp): RegExp {
  const plain = source
    .replaceAll('(?<![A-Za-z0-9])', '')
    .replaceAll('\\b', '')
    .replaceAll('[\\s\\S]*?', '[a-z]*');
  return new RegExp(plain, flags.replace(/[gi]/g, ''));
}
