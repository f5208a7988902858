import type { Fixture } from './fixture.ts';

/** What users look for, as names to give to `selftest`. A case may be in several, or in none. */
export const GROUPS = {
  'seat-exhaustion': 'a seat, or a model on it, is used up: a closed window or no credits',
  'cli-usage-limit': "a CLI says that its usage limit is reached, the seat's or a model's",
  'cooldown-until': 'the provider names when room is back, and the rest ends then',
  traps: 'agents and tools that quote refusals, and must start no rest',
  recoveries: "trouble that the CLI's own retries overcome, and that must be left to them",
} as const;

export type Group = keyof typeof GROUPS;

/** How each CLI says that it tries again by itself (captures of 2.1.197, 0.171.0, 0.61.0). */
const RETRIES = /"api_retry"|Reconnecting\.\.\.|^Attempt \d+ failed/;

/** By what is expected, never by what is found: a case must not leave its group because a rule broke. */
export function groupsOf(name: string, { expected, input }: Fixture): readonly Group[] {
  const { outcome } = expected;
  const signal = (expected['signal'] ?? {}) as Readonly<Record<string, unknown>>;
  const { kind, resetAt } = signal;
  const isTrap = name.startsWith('trap-');
  const isUsedUp = kind === 'rate-limit' || kind === 'out-of-credits';
  const holds: Readonly<Record<Group, boolean>> = {
    'seat-exhaustion': outcome === 'exhausted' && isUsedUp,
    'cli-usage-limit': outcome === 'exhausted' && kind === 'rate-limit',
    'cooldown-until': typeof resetAt === 'string',
    traps: isTrap,
    recoveries: outcome === 'done' && !isTrap && input.lines.some(({ text }) => RETRIES.test(text)),
  };
  return (Object.keys(GROUPS) as Group[]).filter((group) => holds[group]);
}
