import type { Event } from './event.ts';

/** All but what the agent says: that comes in pieces, hundreds a minute. */
export type HookEvent = Exclude<Event['type'], 'attempt.text'>;

/** The events at which a hook can be run, each as the end of "run when …". */
export const HOOK_EVENTS: Readonly<Record<HookEvent, string>> = {
  'session.started': 'a session begins, or goes on',
  'worker.skipped': 'a worker is passed over',
  'attempt.started': 'a worker starts',
  'attempt.tool': 'the agent uses a tool, and when the tool ends',
  'attempt.retrying': 'a CLI retries by itself',
  'attempt.note': 'there is something to note of an attempt',
  'attempt.unknown': 'a CLI printed what is not known here',
  signal: 'a provider refuses',
  'attempt.ended': 'a worker has ended',
  'cooldown.recorded': 'a rest is written down',
  'cooldown.not-recorded': 'a rest cannot be written down, or is not to be',
  'cooldown.cleared': 'a rest is over before its time',
  'hold.started': 'a busy provider is given time',
  'hold.ended': 'that time is over',
  'wait.started': 'a wait for the first to be back begins',
  'wait.ended': 'that wait is over',
  handoff: 'another worker takes over',
  reading: 'a CLI says how full a window is',
  rule: 'a rule of yours begins or ceases to match',
  'session.ended': 'a session ends, however it does',
};
