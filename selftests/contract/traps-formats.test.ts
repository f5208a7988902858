import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCapture } from '../../src/selftest/capture-file.ts';
import { ADAPTER_NAMES } from '../../src/workers/registry.ts';
import { FIXTURES, fixtureInput } from '../rig/fixtures.ts';
import type { JsonObject } from '../rig/streams.ts';
import { eachEventLine, essence, isEvent, line, verdictOf, withLines } from '../rig/streams.ts';

/** The same stream in another dress: whatever the transport does to the lines, the verdict stays. */

const CASES = ADAPTER_NAMES.flatMap((adapter) =>
  readdirSync(join(FIXTURES, adapter)).map((name) => [adapter, name] as const),
);

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  );
}

const HARMLESS = '{"type":"keep_alive"}';

/** What terminals, wrappers and broken pipes put between lines. */
const JUNK = [
  ...[
    '',
    '   ',
    '\u0000\u0001\u0002\uFFFD\u0007',
    '{{{{',
    '}',
    '[1,2',
    '"',
    'null',
    '42',
    '{}',
    '{"type":5}',
  ],
  ...[
    'Update available 2.1.197 → 2.1.332',
    '(node:12) Warning: 429',
    '> project@1.0.0 build',
    '{ not json }',
  ],
  ...[
    '{"a":"',
    '\\',
    '\u2028',
    '\u001b[31m\u001b[0m',
    '{"type":"resu',
    '[{"type":"result","is_error":true}]',
  ],
];

describe.each(CASES)('%s/%s', (adapter, name) => {
  it('reads the same with the keys of every event in another order', async () => {
    const input = await fixtureInput(adapter, name);
    const other = eachEventLine(input, (text) => JSON.stringify(reversed(JSON.parse(text))));
    expect(essence(verdictOf(other))).toEqual(essence(verdictOf(input)));
  });

  it('reads the same when another event stands in the same line, before or after', async () => {
    const input = await fixtureInput(adapter, name);
    const before = essence(verdictOf(input));
    expect(essence(verdictOf(eachEventLine(input, (text) => HARMLESS + text)))).toEqual(before);
    expect(essence(verdictOf(eachEventLine(input, (text) => `${text} ${HARMLESS}`)))).toEqual(before);
  });

  it('reads the same when every event is broken over two lines', async () => {
    const input = await fixtureInput(adapter, name);
    const before = essence(verdictOf(input));
    for (const share of [0.02, 0.3, 0.5, 0.8, 0.99]) {
      const broken = withLines(input, (lines) =>
        lines.flatMap((one) => {
          if (!isEvent(one)) return [one];
          const at = Math.min(one.text.length - 1, Math.max(1, Math.floor(one.text.length * share)));
          return [one.text.slice(0, at), one.text.slice(at)].map((text) => ({ ...one, text }));
        }),
      );
      expect(essence(verdictOf(broken))).toEqual(before);
    }
  });

  it('reads the same with escape codes around every line', async () => {
    const input = await fixtureInput(adapter, name);
    const coloured = withLines(input, (lines) =>
      lines.map((one) => ({ ...one, text: `\u001b[2K\u001b[1;31m${one.text}\u001b[0m` })),
    );
    const titled = eachEventLine(input, (text) => `\u001b]0;working\u0007${text}\u001b[?25h`);
    expect(essence(verdictOf(titled))).toEqual(essence(verdictOf(input)));
    // The dump of Gemini's last error is read by its indentation, which a colour at its beginning hides from nobody.
    expect(essence(verdictOf(coloured))).toEqual(essence(verdictOf(input)));
  });

  it('reads the same with junk between the lines', async () => {
    const input = await fixtureInput(adapter, name);
    const first = input.lines.findIndex(isEvent);
    const mixed = withLines(input, (lines) =>
      lines.flatMap((one, index) =>
        index > first && isEvent(one) ? [...JUNK.map((text) => line(text, one.t)), one] : [one],
      ),
    );
    expect(essence(verdictOf(mixed))).toEqual(essence(verdictOf(input)));
  });

  it('reads the same from plain output with CRLF, a byte order mark, and U+2028 where the vendor put it', async () => {
    const input = await fixtureInput(adapter, name);
    const stdout = input.lines.filter(({ channel }) => channel === 'stdout').map(({ text }) => text);
    const read = (text: string) => essence(verdictOf({ ...input, lines: readCapture(text) }));
    const plain = read(`${stdout.join('\n')}\n`);
    expect(read(`${stdout.join('\r\n')}\r\n`)).toEqual(plain);
    expect(read(`\uFEFF${stdout.join('\n')}`)).toEqual(plain);
    const [first = '', ...others] = stdout;
    expect(read([first.replace(/^\{/, '{"note":"a\u2028b\u2029c",'), ...others].join('\n'))).toEqual(plain);
  });
});

describe.each(ADAPTER_NAMES)('a healthy run of %s', (adapter) => {
  it('reads the same when all its events stand in one line', async () => {
    const input = await fixtureInput(adapter, 'ok');
    const all = input.lines.filter(isEvent).map(({ text }) => text);
    expect(verdictOf({ ...input, lines: [line(all.join(''), 0)] }).outcome).toBe('done');
  });

  it('reads the same when its lines are cut anywhere', async () => {
    const input = await fixtureInput(adapter, 'ok');
    const events = input.lines.filter(isEvent);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
          minLength: events.length,
          maxLength: events.length,
        }),
        (shares) => {
          const lines = events.flatMap((one, index) => {
            const at = Math.floor((shares[index] ?? 0) * one.text.length);
            return [line(one.text.slice(0, at), one.t), line(one.text.slice(at), one.t)];
          });
          expect(verdictOf({ ...input, lines }).outcome).toBe('done');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reads the same with U+2028 and U+2029 in every text', async () => {
    const input = await fixtureInput(adapter, 'ok');
    const strange = eachEventLine(input, (text) =>
      JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
        value === 'All done.' ? 'All\u2028 \u2029done.' : value,
      ),
    );
    expect(strange.lines.some(({ text }) => text.includes('\u2028'))).toBe(true);
    expect(verdictOf(strange).outcome).toBe('done');
  });

  it('does not take a torn last line for anything', async () => {
    const input = await fixtureInput(adapter, 'ok');
    const last = input.lines.findLast(isEvent)?.text ?? '';
    const events = input.lines.filter((one) => isEvent(one) && one.text !== last);
    const torn = { ...input, lines: [...events, line(last.slice(0, -1), 0)] };
    expect(verdictOf(torn)).toMatchObject({ outcome: 'failed', signal: null });
    const event: JsonObject = { type: 'keep_alive' };
    expect(verdictOf({ ...torn, lines: [...torn.lines, line(JSON.stringify(event), 1)] })).toMatchObject({
      ...{ outcome: 'failed', signal: null },
    });
  });
});
