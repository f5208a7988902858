import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreateFleetOptions, Fleet, Run, ToldEvent } from '../../src/library/public.ts';
import { createFleet } from '../../src/library/public.ts';
import type { Stage } from './cli.ts';

// A fleet of a program's own, and what its fake CLIs print.

const say = (event: object): string => `echo '${JSON.stringify(event)}'`;

export const INIT = say({
  type: 'system',
  subtype: 'init',
  session_id: '3488648d-0545-4e7c-bbe6-36fcbe89e28f',
});
export const WORD = say({ type: 'assistant', message: { content: [{ type: 'text', text: 'On it.' }] } });
export const DONE = say({ type: 'result', subtype: 'success', is_error: false, result: 'By claude.' });
export const LIMIT = say({
  ...{ type: 'result', subtype: 'success', is_error: true, api_error_status: 429 },
  result: 'You have hit your session limit · resets 3am',
});
export const CODEX_DONE = [
  say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'By codex.' } }),
  say({ type: 'turn.completed', usage: {} }),
].join('\n');

export async function aFleet(stage: Stage, options: CreateFleetOptions = {}): Promise<Fleet> {
  const created = await createFleet(on(stage, options));
  if (!created.ok) throw new Error(created.error.message);
  return created.value;
}

export function on(stage: Stage, options: CreateFleetOptions = {}): CreateFleetOptions {
  return { directory: stage.project, env: { PATH: stage.bin, HOME: stage.home, TZ: 'UTC' }, ...options };
}

export async function eventsOf(run: Run): Promise<readonly ToldEvent[]> {
  const events: ToldEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const BUILT = join(import.meta.dirname, '../../dist/library.js');

/**
 * Runs a program of a stranger's own over the built library, to its end: `body` finds `createFleet` and `tell`, and what
 * it tells is returned. Fails where it prints anything, or does not end by itself.
 */
export function toldByProgram(stage: Stage, body: string): Readonly<Record<string, unknown>> {
  const [program, told] = ['program.mjs', 'told.json'].map((name) => join(stage.folder, name)) as [
    string,
    string,
  ];
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs';
     import { createFleet } from ${JSON.stringify(BUILT)};
     const tell = (value) => writeFileSync(${JSON.stringify(told)}, JSON.stringify(value));
     ${body}`,
  );
  const env = { PATH: stage.bin, HOME: stage.home, TZ: 'UTC' };
  // Both channels in one.
  const line = ['-c', 'exec "$0" "$1" 2>&1', process.execPath, program];
  const printed = execFileSync('/bin/sh', line, {
    cwd: stage.project,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (printed !== '') throw new Error(`The program printed: ${printed}`);
  return JSON.parse(readFileSync(told, 'utf8')) as Readonly<Record<string, unknown>>;
}
