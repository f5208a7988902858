import { harmlessFields, jsonText, withTexts } from '../../core/harmless.ts';
import { DEFAULT_HOLD, DEFAULT_PATIENCE } from '../../core/policy.ts';
import { didYouMean } from '../../core/similar.ts';
import type { DurationMs, EpochMs } from '../../core/time.ts';
import { fromIso } from '../../core/time.ts';
import type { ReplayVerdict } from '../../fleet/replay.ts';
import { replay } from '../../fleet/replay.ts';
import { secretRemover } from '../../signals/secrets.ts';
import { readIfThere, readStdin, readTextFile, sibling } from '../../system/input.ts';
import { isAdapterName, loadAdapter, ADAPTER_NAMES } from '../../workers/registry.ts';
import { readCapture, readCaptureFacts } from '../../selftest/capture-file.ts';
import { verdictJson } from '../../selftest/verdict-json.ts';
import { EXIT } from '../exit-codes.ts';
import { formatUntil } from '../format.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { KIND_WORDS } from '../kind-words.ts';
import { restLengths } from '../../library/settings.ts';
import { isZone } from '../zone.ts';

export interface ReplayFlags {
  readonly adapter?: string;
  readonly now?: EpochMs;
  readonly tz?: string;
  readonly exit?: number;
  readonly patience?: DurationMs;
  readonly json?: boolean;
}

/**
 * `secondwind replay`: what would secondwind make of this? A capture's own `capture.json` and `rollout.jsonl` beside
 * the file are read too; options win over them.
 */
export async function replayFile(io: Io, file: string, flags: ReplayFlags): Promise<number> {
  const text = file === '-' ? ({ ok: true, value: await readStdin() } as const) : readTextFile(file);
  if (!text.ok) return refuse(io, { reason: 'usage', message: `cannot read ${file}: ${text.error}.` });
  const facts = file === '-' ? undefined : readBeside(file, 'capture.json');
  const { cli, ...known } = readCaptureFacts(facts ?? '');
  const name = flags.adapter ?? cli;
  if (name === undefined || !isAdapterName(name)) {
    const found = name === undefined ? 'none was named' : `found '${name}'${didYouMean(name, ADAPTER_NAMES)}`;
    return refuse(io, {
      reason: 'usage',
      message: `--adapter: expected one of ${ADAPTER_NAMES.join(', ')}, but ${found}.`,
    });
  }
  const zone = flags.tz ?? known.zone ?? io.zone;
  if (!isZone(zone))
    return refuse(io, { reason: 'usage', message: `--tz: '${zone}' is no time zone; try Europe/Berlin.` });
  const rests = restLengths(io.env);
  if (!rests.ok) return refuse(io, rests.error);
  const startedAt =
    flags.now ?? (known.startedAt === undefined ? undefined : fromIso(known.startedAt)) ?? io.clock.now();
  const exit = flags.exit === undefined ? (known.exit ?? undefined) : { code: flags.exit, signal: undefined };
  const found = replay({
    ...{ adapter: await loadAdapter(name), lines: readCapture(text.value), startedAt, zone, exit },
    ...{
      patience: { patienceMs: flags.patience ?? DEFAULT_PATIENCE, holdMs: DEFAULT_HOLD },
      rests: rests.value,
    },
    notes: file === '-' ? [] : (readBeside(file, 'rollout.jsonl') ?? '').split('\n'),
  });
  // An output as it was printed may name what this environment holds.
  const verdict = withTexts(found, secretRemover(io.env));
  if (flags.json === true) io.terminal.out(`${jsonText(verdictJson(verdict), 2)}\n`);
  else io.terminal.out(told(harmlessFields(verdict), io));
  return EXIT.done;
}

/** What lies beside a file; nothing when it cannot be read, as it is not what was asked for. */
function readBeside(file: string, name: string): string | undefined {
  const text = readIfThere(sibling(file, name));
  return text.ok ? text.value : undefined;
}

const OUTCOME_WORDS: Readonly<Record<ReplayVerdict['outcome'], string>> = {
  done: 'done: the worker finished its task',
  exhausted: 'exhausted: the worker would rest, and the next one take the task',
  overloaded: 'overloaded: the same worker would be held and tried again',
  failed: 'failed',
  running: 'running: nothing here would have stopped the worker',
};

function told(verdict: ReplayVerdict, io: Io): string {
  const { outcome, signal, cooldown, actedAt, killed, reason } = verdict;
  const rows = [OUTCOME_WORDS[outcome] + (reason === null ? '' : `: ${reason}`)];
  if (signal !== null) {
    rows.push(
      `signal:   ${signal.kind} (${KIND_WORDS[signal.kind]}) on ${signal.scope}, from ${signal.source}: ${signal.reason}`,
    );
    rows.push(`evidence: ${signal.evidence}`);
  }
  if (cooldown !== null) {
    const until = formatUntil(cooldown.until, cooldown.since, io.zone).replace('(in ', '(after ');
    rows.push(`cooldown: ${until}, source ${cooldown.source}`);
  }
  if (killed && actedAt !== null)
    rows.push(`ended:    at line ${String(actedAt.line)}, ${String(actedAt.t)} ms after the start`);
  return `${rows.join('\n')}\n`;
}
