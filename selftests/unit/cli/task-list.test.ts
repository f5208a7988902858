import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseTaskList } from '../../../src/cli/task-list.ts';

const aJsonLine = fc
  .record(
    {
      task: fc.oneof(fc.string(), fc.constant(7)),
      id: fc.oneof(fc.constantFrom('1', '2', 'a (2)'), fc.constant(null)),
      cd: fc.constantFrom('src', '', 3),
      workers: fc.oneof(fc.array(fc.constantFrom('claude', '')), fc.constant('claude')),
      model: fc.string(),
      more: fc.constant(true),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));
const aLine = fc.oneof(
  fc.constantFrom(
    'a',
    'a (2)',
    ' a ',
    '',
    '# a',
    '\ufeffa',
    'a\0b',
    '{',
    '{"task":"a"}',
    '{"task":"a","id":"1"}',
  ),
  aJsonLine,
  fc.string(),
  fc.string({ unit: 'binary' }),
);
const aList = fc.tuple(fc.array(aLine, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'));

it('reads any text, or says in one sentence which line is wrong', () => {
  fc.assert(
    fc.property(aList, ([lines, end]) => {
      const text = lines.join(end);
      const parsed = parseTaskList(text);
      const count = text.split(/\r?\n/).length;
      if (!parsed.ok) {
        const number = /^line (\d+): .+/.exec(parsed.error)?.[1];
        if (number === undefined) expect(parsed.error).toBe('it holds no task');
        else expect(Number(number)).toBeLessThanOrEqual(count);
        expect(parsed.error).not.toMatch(/undefined|\[object|\n/);
        return;
      }
      expect(parsed.value.length).toBeGreaterThan(0);
      for (const { task } of parsed.value) expect(task.trim().replaceAll('\0', '')).not.toBe('');
    }),
    { numRuns: 2_000 },
  );
});

it('knows each task of a list by a key that no other one has, the same when it is read again', () => {
  fc.assert(
    fc.property(aList, ([lines, end]) => {
      const [first, again] = [parseTaskList(lines.join(end)), parseTaskList(lines.join(end))];
      expect(again).toEqual(first);
      if (!first.ok) return;
      expect(new Set(first.value.map(({ key }) => key)).size).toBe(first.value.length);
    }),
    { numRuns: 2_000 },
  );
});

it('keeps the key of a task when others are put before it', () => {
  const keyOf = (text: string, task: string): string | undefined => {
    const parsed = parseTaskList(text);
    return parsed.ok ? parsed.value.find((one) => one.task === task)?.key : undefined;
  };
  expect(keyOf('a\nb', 'b')).toBe(keyOf('new\n# note\nb', 'b'));
  expect(keyOf('{"task":"x","id":"1"}', 'x')).toBe(keyOf('{"task":"y","id":"1"}', 'y'));
  // A text that looks like another's id is not that one.
  expect(parseTaskList('a\n{"task":"b","id":"a"}').ok).toBe(true);
});
