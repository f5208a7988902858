import type { SessionId } from '../../core/ids.ts';
import type { AttemptRecord, SessionWorktree } from '../../core/session.ts';
import { isOver } from '../../core/session.ts';
import type { EpochMs } from '../../core/time.ts';
import { between, durationMs, formatDuration } from '../../core/time.ts';
import { toSavedSession } from '../../store/session-json.ts';
import type { KnownSession } from '../../store/sessions.ts';
import { EXIT } from '../exit-codes.ts';
import { findSession } from '../../library/find-session.ts';
import { harmless, harmlessLine, jsonText } from '../../core/harmless.ts';
import { formatInstant, formatSeconds, formatUntil } from '../format.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { HANDOVER_WORDS } from '../kind-words.ts';
import { isDirectory } from '../../system/input.ts';
import { sessionsOf } from '../../library/memory.ts';
import { textTable } from '../table.ts';
import { widthOf } from '../width.ts';
import { lookAt, worktreeReport } from '../worktree-report.ts';
import { wrap } from '../wrap.ts';

/** How many are listed when nobody says. */
const LISTED = 20;

/** `sessions list`: every session on record, the newest first. */
export async function listSessions(
  io: Io,
  { json, limit = LISTED }: { readonly json?: boolean; readonly limit?: number },
): Promise<number> {
  const store = sessionsOf(io);
  const ids = store.ids();
  const sessions = await store.all(ids.slice(0, limit));
  if (json === true) {
    io.terminal.out(`${jsonText(sessions.map(asJson), 2)}\n`);
    return EXIT.done;
  }
  if (sessions.length === 0) {
    io.terminal.out('There are no sessions yet.\n');
    return EXIT.done;
  }
  const now = io.clock.now();
  const rows = sessions.map((known) => {
    const { id, attempts, switchCount, updatedAt, request } = known.record;
    return [
      ...[id, stateOf(known, now, io), attempts.at(-1)?.worker ?? '', String(switchCount)],
      ...[`${formatDuration(between(updatedAt, now))} ago`, firstLine(request.task, 60)],
    ];
  });
  io.terminal.out(
    textTable(['SESSION', 'STATE', 'WORKER', 'SWITCHES', 'LAST CHANGE', 'TASK'], rows, {
      columns: io.terminal.outColumns,
    }),
  );
  if (ids.length > limit)
    io.terminal.err(`${String(ids.length - limit)} older ones are not shown; --limit shows more.\n`);
  return EXIT.done;
}

/** `sessions show ID`: what was asked, who worked on it and how each attempt ended. */
export async function showSession(
  io: Io,
  name: string,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const found = await findSession(sessionsOf(io), name);
  if (!found.ok) return refuse(io, found.error);
  const known = found.value;
  if (json === true) {
    io.terminal.out(`${jsonText(asJson(known), 2)}\n`);
    return EXIT.done;
  }
  io.terminal.out(harmless(page(known, io)));
  const { worktree } = known.record.request;
  if (worktree !== undefined && !known.isRunning && isDirectory(worktree.path))
    io.terminal.out(`\n${worktreeReport(worktree, await lookAt(io, worktree))}`);
  return EXIT.done;
}

function asJson(known: KnownSession): Readonly<Record<string, unknown>> {
  return { ...toSavedSession(known.record, undefined), state: stateWord(known), running: known.isRunning };
}

function page(known: KnownSession, io: Io): string {
  const { record } = known;
  const { id, request, createdAt, attempts, switchCount, heldMs, waitedMs, text } = record;
  const now = io.clock.now();
  const facts = [
    ['Session', id],
    ['State', stateOf(known, now, io)],
    ['Began', formatInstant(createdAt, now, io.zone)],
    ['Directory', harmlessLine(request.directory)],
    ...(request.worktree === undefined ? [] : [['Branch', branchOf(request.worktree)]]),
    ['Switches', String(switchCount)],
    ...(heldMs > 0 ? [['Held for', formatSeconds(heldMs)]] : []),
    ...(waitedMs > 0 ? [['Waited for', formatSeconds(waitedMs)]] : []),
    ['Task', harmless(request.task).trimEnd()],
    ...(request.additions ?? []).map(({ text: added }) => ['Added', harmless(added).trimEnd()]),
  ];
  const { outColumns } = io.terminal;
  const told = facts.map(([key = '', value = '']) => fact(key, value, outColumns)).join('');
  const rows = attempts.map((attempt, index) => attemptRow(attempt, index, known, now, io));
  const tried =
    rows.length === 0
      ? ''
      : `\n${textTable(['', 'WORKER', 'BEGAN', 'TOOK', 'HOW', 'END'], rows, { columns: outColumns })}`;
  const answer = text === '' ? '' : `\n${harmless(text).trimEnd()}\n`;
  const next = known.isRunning || record.state === 'done' ? '' : `\n${goOn(id, outColumns)}`;
  return told + tried + answer + next;
}

const KEY = 11;

/** `Task       the first line`, and below it the others; what is too long for the terminal goes on there too. */
function fact(key: string, value: string, columns = Infinity): string {
  const lines = value
    .split('\n')
    .flatMap((line) => (KEY + widthOf(line) <= columns ? [line] : wrap(line, columns - KEY, 0)));
  return lines
    .map((line, index) => `${(index === 0 ? key : '').padEnd(KEY)}${line}`.trimEnd() + '\n')
    .join('');
}

/** A command stays on one line, so that it can be copied. */
function goOn(id: SessionId, columns = Infinity): string {
  const [lead, command] = ['It goes on with:', `secondwind resume ${id}`];
  return `${lead}${lead.length + 1 + command.length <= columns ? ' ' : '\n'}${command}\n`;
}

function branchOf({ branch, repository, base }: SessionWorktree): string {
  return harmlessLine(`${branch} of ${repository}, from ${base.slice(0, 12)}`);
}

function attemptRow(
  attempt: AttemptRecord,
  index: number,
  known: KnownSession,
  now: EpochMs,
  { zone }: Io,
): readonly string[] {
  const { worker, startedAt, endedAt, how, outcome, reason } = attempt;
  const isLast = index === known.record.attempts.length - 1;
  const end =
    endedAt === undefined
      ? known.isRunning && isLast
        ? 'running'
        : 'lost: secondwind was killed'
      : // A session that was told to stop, or to take no longer, says itself which of the two it was.
        outcome === 'stopped' && isLast && isOver(known.record.state)
        ? known.record.state
        : `${outcome ?? ''}${reason === undefined ? '' : `: ${firstLine(reason, 80)}`}`;
  const took = endedAt === undefined ? '' : formatSeconds(durationMs(between(startedAt, endedAt)));
  return [
    String(index + 1),
    worker,
    formatInstant(startedAt, now, zone),
    took,
    index === 0 && how === 'prompt' ? '' : HANDOVER_WORDS[how],
    end,
  ];
}

function stateWord({ record, isRunning }: KnownSession): string {
  return isRunning || isOver(record.state) ? record.state : 'killed';
}

function stateOf(known: KnownSession, now: EpochMs, { zone }: Io): string {
  const word = stateWord(known);
  const { until } = known.record;
  if (until === undefined || word === 'killed') return word;
  // What was known then: whoever is back may rest again, and may have been back before.
  if (until <= now) return word === 'exhausted' ? `${word}; to be tried again` : word;
  return word === 'exhausted'
    ? `${word}, ${formatUntil(until, now, zone).replace(/^until/, 'back')}`
    : `${word} ${formatUntil(until, now, zone)}`;
}

function firstLine(text: string, longest: number): string {
  const [line = '', ...others] = harmless(text).trim().split('\n');
  const isCut = line.length > longest || others.length > 0;
  return isCut ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
}
