import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './cli.ts';
import { hostileText } from './escapes.ts';

const IN_A_DAY = new Date(Date.now() + 24 * 3_600_000).toISOString();
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

/** A Claude Code in whose every word is `hostileText`, and that is out of credits. */
export function aHostileClaude(stage: Stage): void {
  const said = hostileText('agent');
  const tool = { type: 'tool_use', id: said, name: said, input: { command: said } };
  const events = [
    { type: 'system', subtype: 'init', session_id: 'conversation-1', model: said },
    { type: 'system', subtype: said, note: said },
    { type: 'assistant', message: { content: [{ type: 'text', text: said }] } },
    { type: 'assistant', message: { content: [tool] } },
    {
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: 400,
      result: `Your credit balance is too low ${said}`,
    },
  ];
  stage.fake(
    'claude',
    [
      `case "$*" in *--version*) printf '%s\\n' "$HOSTILE" "2.1.197 $HOSTILE"; printf '%s' "$HOSTILE" >&2; exit 0;; esac`,
      `case "$*" in *auth*) printf '%s' "$HOSTILE"; printf '%s' "$HOSTILE" >&2; exit 1;; esac`,
      `cat <<'END'\n${events.map((event) => JSON.stringify(event)).join('\n')}\nEND`,
      `printf '%s\\n' "$HOSTILE" >&2`,
      'exit 1',
    ].join('\n'),
  );
}

/** Writes `hostileText` into every field of a state file that may hold a text of others, by the names of the fields. */
function poison(value: unknown, path: string, free: ReadonlySet<string>, marks: Set<string>): unknown {
  const key = path.replaceAll('[]', '').split('.').at(-1) ?? '';
  if (typeof value === 'string' && free.has(key)) {
    const mark = path.replace(/[^A-Za-z]+/g, '-').replace(/^-|-$/g, '');
    marks.add(mark);
    return hostileText(mark);
  }
  if (Array.isArray(value)) return value.map((one: unknown) => poison(one, `${path}[]`, free, marks));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      poison(inner, `${path}.${name}`, free, marks),
    ]),
  );
}

/** Fields that some schema binds to a form: they cannot hold anything else. */
const BOUND = new Set([
  ...[
    'id',
    'at',
    'createdAt',
    'updatedAt',
    'startedAt',
    'endedAt',
    'since',
    'until',
    'resetAt',
    'observedAt',
  ],
  ...[
    'triedAt',
    'notBefore',
    'retryAt',
    'type',
    'kind',
    'source',
    'outcome',
    'state',
    'status',
    'how',
    'permissions',
  ],
  ...['by', 'session', 'owner', 'credentials', 'key', 'answer'],
]);

/**
 * Puts a hostile text into every field of the state by hand, as somebody may who can write there: all that is bound to no
 * form. Returns the marks that the texts begin with, by the field they stand in.
 */
export function poisonState({ stateHome }: Stage): ReadonlySet<string> {
  const marks = new Set<string>();
  const rewrite = (
    path: string,
    name: string,
    change: (value: Record<string, unknown>) => void = () => undefined,
  ) => {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    change(value);
    writeFileSync(path, JSON.stringify(poison(value, name, everyKeyOf(value), marks)));
  };
  const seatRest = {
    since: AN_HOUR_AGO,
    until: IN_A_DAY,
    kind: 'rate-limit',
    source: 'text',
    reason: 'r',
    evidence: 'e',
  };
  rewrite(join(stateHome, 'cooldowns.json'), 'cooldowns', (value) => {
    const rests = value['cooldowns'] as unknown[];
    rests.push(
      { ...seatRest, worker: 'w', target: { type: 'model', seat: 'other', model: 'm' } },
      { ...seatRest, worker: 'w', target: { type: 'workspace', workspace: 'w' } },
    );
  });
  // The seat of the fleet must stay, or nobody would be shown to rest.
  const file = join(stateHome, 'cooldowns.json');
  const rests = JSON.parse(readFileSync(file, 'utf8')) as {
    cooldowns: { target: Record<string, unknown> }[];
  };
  const [first] = rests.cooldowns;
  if (first !== undefined) first.target = { type: 'seat', seat: 'claude' };
  writeFileSync(file, JSON.stringify(rests));

  writeFileSync(
    join(stateHome, 'quota.json'),
    JSON.stringify({
      version: 1,
      readings: ['claude', 'spare', hostileText('quota-seat')].map((seat, index) => ({
        ...{ seat, window: hostileText('quota-window'), usedPercent: 40 + index, resetAt: IN_A_DAY },
        ...{ observedAt: AN_HOUR_AGO, source: 'event' },
      })),
      polls: [
        { seat: 'claude', at: AN_HOUR_AGO, failures: 3, notBefore: IN_A_DAY, why: hostileText('quota-why') },
      ],
    }),
  );
  for (const name of readdirSync(join(stateHome, 'sessions')))
    if (name.endsWith('.json')) rewrite(join(stateHome, 'sessions', name), 'session');
  const ledger = join(stateHome, 'ledger');
  for (const name of readdirSync(ledger)) {
    const path = join(ledger, name);
    const entries = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const [{ session } = { session: '' }] = entries;
    const more = [
      'worker.skipped',
      'cooldown.recorded',
      'cooldown.not-recorded',
      'cooldown.cleared',
      'handoff',
      'signal',
      'reading',
      'session.ended',
      hostileText('type'),
    ].map((type) => ({
      ...{
        type,
        at: new Date().toISOString(),
        session,
        worker: 'w',
        seat: 's',
        model: 'm',
        reason: 'r',
        scope: 's',
        window: 'w',
      },
      ...{
        evidence: 'e',
        from: 'f',
        to: 't',
        how: hostileText('how'),
        by: hostileText('by'),
        kind: hostileText('kind'),
      },
      ...{ source: hostileText('source'), outcome: hostileText('outcome'), usedPercent: 50, until: IN_A_DAY },
    }));
    writeFileSync(path, '');
    for (const entry of [...entries, ...more])
      appendFileSync(path, `${JSON.stringify(poison(entry, 'ledger', everyKeyOf(entry), marks))}\n`);
  }
  return marks;
}

function everyKeyOf(value: unknown, keys = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) everyKeyOf(one, keys);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      if (!BOUND.has(key)) keys.add(key);
      everyKeyOf(inner, keys);
    }
  return keys;
}
