import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a CLI printed, without what differs from run to run (ids, times, texts of the model): one short text for each
 * line that says something about the provider. Two runs of one version against one scenario have the same shape.
 */
export function shapeOf(
  stdout: readonly string[],
  stderr: readonly string[],
): { stdout: string[]; stderr: string[] } {
  return {
    stdout: stdout.filter((line) => line.startsWith('{')).map((line) => shapeOfEvent(JSON.parse(line))),
    // Gemini tells of its retries only here.
    stderr: stderr
      .filter((line) => /^(Attempt \d+ failed|Suggested retry)/.test(line))
      .map((line) => masked(line)),
  };
}

/** The same of a recorded run. */
export function shapeOfFixture(name: string): { stdout: string[]; stderr: string[] } {
  const file = join(import.meta.dirname, '..', '..', 'fixtures', name, 'stream.jsonl');
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { ch: string; line: string });
  const of = (channel: string): string[] => lines.filter(({ ch }) => ch === channel).map(({ line }) => line);
  return shapeOf(of('stdout'), of('stderr'));
}

/** The fields, in any of the CLIs, in which a line says what it is and what the provider did. */
const TELLING = [
  'type',
  'subtype',
  'role',
  'status',
  'error',
  'error_status',
  'is_error',
  'api_error_status',
  'message',
  'result',
  'item.type',
  'item.status',
  'error.message',
  'rate_limit_info.status',
  'rate_limit_info.rateLimitType',
];

function shapeOfEvent(event: unknown): string {
  return TELLING.map((path) => at(event, path))
    .filter((value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    .map((value) => masked(String(value)))
    .join(' ');
}

function at(event: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      event,
    );
}

/** Without moments, lengths and addresses. */
function masked(text: string): string {
  return text
    .replace(/(try again at|resets) .*$/, '$1 …')
    .replace(/http:\/\/127\.0\.0\.1:\d+[^\s)]*/, 'URL')
    .replace(/Retrying after \d+ms/, 'Retrying after …')
    .replace(/Retrying with backoff\.\.\. .*$/, 'Retrying with backoff …');
}
