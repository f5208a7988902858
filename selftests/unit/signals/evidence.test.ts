import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evidence } from '../../../src/signals/evidence.ts';

describe('evidence', () => {
  it.each([
    ['x-api-key: sk-ant-api03-AbCdEf0123456789_-xyz', 'AbCdEf0123456789'],
    ['Incorrect API key provided: sk-proj-****WXYZ. You can find', 'WXYZ'],
    ['Authorization: Bearer abc.def-123_456', 'abc.def'],
    ['"authorization":"Basic dXNlcjpwYXNz"', 'dXNlcjpwYXNz'],
    ['error for bearer 0123456789abcdef0123', '0123456789abcdef'],
    ['Cookie: session=secretvalue; other=alsosecret', 'alsosecret'],
    ['set-cookie: __cf_bm=cookievalue; path=/', 'cookievalue'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl expired', 'eyJ'],
    ['key=AIzaSyA0123456789abcdefghijklmnopqrstuv', 'AIza'],
    ['ya29.a0AfH6SMBx-abcdef', 'a0AfH6'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', '0123456789abcdefghij'],
    ['AWS AKIAIOSFODNN7EXAMPLE denied', 'IOSFODNN7'],
    ['https://user:hunter2@proxy.example.com/v1', 'hunter2'],
    ['GET https://x.example/v1?key=verysecretkey&alt=sse', 'verysecretkey'],
    ['account jane.doe+work@example.co.uk is on hold', 'jane.doe'],
    ['"request_id":"req_011CagJQgteVZy6mLSah6h6S"', '011CagJQ'],
    ['request id: 0123456789abcdef-SJC', '0123456789abcdef'],
    ['cf-ray: 9e01abcd2345ef67-PDX', '9e01abcd'],
    ['in organization org-AbCdEf0123456789 on tokens per min', 'AbCdEf0123456789'],
    ['Team=00000000-0000-4000-8000-000000000000 Current cost', '00000000-0000-4000'],
    ['client_secret=topsecretvalue', 'topsecretvalue'],
    ['{"refresh_token":"rt_abcdef123456"}', 'rt_abcdef123456'],
    ['hash 0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef'],
  ])('keeps no secret of %j', (line, secret) => {
    expect(evidence(line)).not.toContain(secret);
  });

  it('keeps the words that a dispute needs', () => {
    const line = "You've hit your session limit · resets 7:20pm (Europe/Paris)";
    expect(evidence(line)).toBe(line);
    expect(evidence('Attempt 1 failed: quota. Retrying after 12368268ms...')).toContain('12368268ms');
    expect(evidence('{"type":"rate_limit_event","resetsAt":1795988674}')).toContain('1795988674');
  });

  it('finds a key that invisible characters or colours were put into', () => {
    expect(evidence('sk-\u200bant-api03-AbCdEf0123456789')).toBe('[key]');
    expect(evidence('Bearer \u001b[31mabcdefgh12345678\u001b[0m')).toBe('Bearer [token]');
  });

  it('makes control, escape and direction characters harmless', () => {
    const hostile = 'a\u001b]0;title\u0007b\u001b[2Jc\rd\ne\u202ef\u0000g\u009b31mh\u2028i';
    expect(evidence(hostile)).toBe('abc d efgh i');
  });

  it('is one line of at most 500 characters, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (line) => {
        const kept = evidence(line);
        expect(kept.length).toBeLessThanOrEqual(500);
        expect(kept).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
        // Throws on half a surrogate pair.
        expect(() => encodeURIComponent(kept)).not.toThrow();
      }),
    );
  });

  it('says that it was cut, and not through a character', () => {
    const kept = evidence('x'.repeat(498) + '😀😀');
    expect(kept).toBe('x'.repeat(498) + '…');
  });

  it('stays quick on a line of 16 MiB', () => {
    const started = performance.now();
    evidence('a@'.repeat(8 * 1024 * 1024));
    evidence('Bearer '.repeat(2 * 1024 * 1024));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
