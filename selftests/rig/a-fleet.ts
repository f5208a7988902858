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
