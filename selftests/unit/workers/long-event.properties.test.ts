import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/core/line.ts';
import { readLines } from '../../../src/system/lines.ts';
import type { Reader } from '../../../src/workers/adapter.ts';
import { loadAdapter } from '../../../src/workers/registry.ts';
import { aLine } from '../../rig/builders.ts';

// What readers say of a long line that they only look over, against what they say of the same line read whole.

/** What tools print, to mislead: the very words that readers look for, as text. */
const aWord = fc.oneof(
  fc.constantFrom('"', '\\', '\\"', '}', '{', '}{', '} {', '\n', 'é', '😀', '"}]}', '","exit_code":1'),
  fc.constantFrom('"type":"tool_result"', '"is_error":true', '"aggregated_output":"', '"status":"failed"}}'),
  fc.constantFrom('{"type":"result","subtype":"success","is_error":false,"result":"x"}'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const found = fc
  .tuple(fc.array(aWord, { maxLength: 12 }), fc.constantFrom(0, 1_000, 4_000))
  .map(([words, padding]) => words.join(' ') + 'x'.repeat(padding) + words.toReversed().join(''));

const id = fc.oneof(fc.constant('toolu_1'), fc.string({ unit: 'binary', maxLength: 12 }));
const isError = fc.constantFrom({}, { is_error: false }, { is_error: true });

const claudeResult = fc
  .tuple(id, found, isError, found, fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([tool, text, error, data, isTwice, isFirst, isWithData, isList]) => {
    const content = isList ? [{ type: 'text', text }] : text;
    const block = { tool_use_id: tool, type: 'tool_result', content, ...error };
    const message = {
      role: 'user',
      content: isTwice ? [block, { ...block, tool_use_id: 'toolu_2' }] : [block],
    };
    const rest = {
      ...{ parent_tool_use_id: null, session_id: 's' },
      ...(isWithData && {
        tool_use_result: {
          stdout: data,
          ...error,
          nested: isTwice ? block : null,
          lines: [{ n: 1 }, { n: 2 }],
        },
      }),
    };
    return isFirst ? { ...rest, type: 'user', message } : { type: 'user', message, ...rest };
  });
const codexResult = fc
  .tuple(id, found, found, fc.constantFrom(0, 1, -1, null), fc.constantFrom('completed', 'failed', 'odd'))
  .map(([item, command, output, exit, status]) => ({
    type: 'item.completed',
    item: {
      ...{ id: item, type: 'command_execution', command, aggregated_output: output },
      ...{ exit_code: exit, status },
    },
  }));
const geminiResult = fc
  .tuple(
    id,
    found,
    fc.constantFrom('success', 'error', 'odd'),
    fc.constantFrom({}, { error: { message: 'x' } }),
  )
  .map(([tool, output, status, error]) => ({
    ...{ type: 'tool_result', timestamp: '2026-11-29T20:10:39.997Z', tool_id: tool, status, output },
    ...error,
  }));

/** How the line may be damaged: not at all, cut in two, two events in one, white space around. */
const damage = fc.oneof(
  fc.constant((text: string) => [text]),
  fc.nat().map((at) => (text: string) => [text.slice(0, at % text.length), text.slice(at % text.length)]),
  fc.nat().map((nth) => (text: string) => {
    // Where what is left looks most like a whole event.
    const ends = [...text.matchAll(/\}/g)].map(({ index }) => index + 1);
    const at = ends[nth % ends.length] ?? 0;
    return [text.slice(0, at), text.slice(at)];
  }),
  fc.constantFrom('', ' ', '  ', '\t', ' \r ').map((between) => (text: string) => [text + between + text]),
  fc.constantFrom('', ' ', '\t').map((within) => (text: string) => [text + text.replace('{', `{${within}`)]),
  fc.constant((text: string) => [` ${text} `]),
);

async function read(reader: Reader, lines: readonly string[], isByBytes: boolean) {
  const told: unknown[] = [];
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  for await (const line of readLines(Readable.from([bytes]))) {
    const read: Line = aLine({ text: line.text, ...(isByBytes ? { bytes: line.bytes } : {}) });
    told.push(reader.push(read));
  }
  return { told: told.flat(), unknown: reader.unknown().map(({ what, name }) => ({ what, name })) };
}

describe('a long line that is only looked over', () => {
  it.each([
    ['claude', claudeResult],
    ['codex', codexResult],
    ['gemini', geminiResult],
  ])('tells of %s what it tells when it is read whole', async (cli, results) => {
    const adapter = await loadAdapter(cli);
    const reader = () => adapter.reader({ zone: 'UTC', model: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(results, damage), { minLength: 1, maxLength: 4 }),
        async (events) => {
          const lines = events.flatMap(([event, damaged]) => damaged(JSON.stringify(event)));
          expect(await read(reader(), lines, true)).toEqual(await read(reader(), lines, false));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    [
      'claude',
      '{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":"X"}]}}',
    ],
    [
      'codex',
      '{"type":"item.completed","item":{"id":"t1","type":"command_execution","command":"ls","aggregated_output":"X","exit_code":0,"status":"completed"}}',
    ],
    ['gemini', '{"type":"tool_result","timestamp":"","tool_id":"t1","status":"success","output":"X"}'],
  ])('is not decoded: %s', async (cli, event) => {
    const adapter = await loadAdapter(cli);
    const long = event.replace('X', 'x'.repeat(5_000));
    const line = aLine({ text: 'never asked for', bytes: bytesOf(long) });
    const told = adapter.reader({ zone: 'UTC', model: undefined }).push(line);
    expect(told).toMatchObject([{ type: 'tool', id: 't1', status: 'done' }]);
  });
});

function bytesOf(text: string): NonNullable<Line['bytes']> {
  const bytes = Buffer.from(text);
  return {
    length: bytes.length,
    at: (index) => bytes[index],
    indexOf: (ascii, from = 0) => bytes.indexOf(ascii, from),
    slice: (from, to) => bytes.subarray(from, to).toString(),
  };
}
