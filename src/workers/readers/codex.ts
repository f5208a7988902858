import type { Exit, Line } from '../../core/line.ts';
import type { Signal } from '../../core/signal.ts';
import type { DurationMs, EpochMs } from '../../core/time.ts';
import { durationMs } from '../../core/time.ts';
import type { Unknown } from '../../core/unknown.ts';
import { classify } from '../../signals/classify.ts';
import { evidence } from '../../signals/evidence.ts';
import { codexPhrases } from '../../signals/phrases/codex.ts';
import type { AgentTool, Observation, Reader, ReaderContext, Verdict } from '../adapter.ts';
import type { JsonEvent } from '../json-lines.ts';
import { listField, numberField, recordField, stringField } from '../json-lines.ts';
import { CliOutput } from '../cli-output.ts';
import { oneLine } from '../tool-detail.ts';
import { firstLine } from '../first-line.ts';
import { briefOutput } from './codex-brief.ts';
import { codexVocabulary } from './codex-vocabulary.ts';

/** "Reconnecting... 2/5 (…)", "Reconnecting... waiting for network (…)": codex-rs/core/src/responses_retry.rs, 0.171. */
const RETRY = /^Reconnecting\.\.\. (?:(?<attempt>\d+)\/\d+|waiting for network)(?: \((?<cause>[^]*)\))?$/;

/** Without a network Codex waits 5 s, doubling to 60 s, for ever (feature `unbounded_connection_retries`, 0.171). */
const NETWORK_WAIT_FIRST = 5_000;
const NETWORK_WAIT_LONGEST = 60_000;

type ToolWords = readonly [name: string, detail: string];

/**
 * Reads `codex exec --json`. Only `turn.failed` is terminal; an `error` event may be a retry notice, and carries the
 * same words as the `turn.failed` that follows it otherwise. Formats: codex-rs/exec/src/exec_events.rs, 0.171.
 */
export class CodexReader implements Reader {
  readonly #context: ReaderContext;
  readonly #output: CliOutput;
  #lastMessage = '';
  #lastError: { readonly text: string; readonly at: EpochMs } | undefined;
  #networkWaits = 0;
  #done: Verdict | undefined;
  #failure: Verdict | undefined;

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#output = new CliOutput(codexPhrases, codexVocabulary, context);
  }

  get telling(): string | undefined {
    return this.#output.telling;
  }

  push(line: Line): readonly Observation[] {
    if (line.channel === 'stderr') return this.#output.plain(line);
    return this.#output.stdout(line, (event) => this.#read(event, line), briefOutput);
  }

  end(exit: Exit, at: EpochMs): Verdict {
    if (this.#done !== undefined) return this.#done;
    if (this.#failure !== undefined) return this.#failure;
    // An interrupted turn prints no terminal event: the last error that was no retry is all there is.
    if (this.#lastError !== undefined && exit.code !== 0) {
      const finding = this.#classify(this.#lastError.text, this.#lastError.at);
      return finding.type === 'signal'
        ? { type: 'refused', signal: finding.signal }
        : this.#failed(finding, this.#lastError.text);
    }
    return this.#output.verdict(exit, at);
  }

  unknown(): readonly Unknown[] {
    return this.#output.unknown();
  }

  #read(event: JsonEvent, line: Line): readonly Observation[] {
    switch (event.type) {
      case 'thread.started': {
        const id = stringField(event, 'thread_id');
        return id === undefined ? [] : [{ type: 'conversation', id, model: this.#context.model }];
      }
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return this.#readItem(event.type, recordField(event, 'item'));
      case 'turn.completed':
        this.#done = { type: 'done', text: this.#lastMessage };
        return [{ type: 'finished' }];
      case 'error':
        return this.#readError(stringField(event, 'message') ?? '', line);
      case 'turn.failed':
        return this.#readFailure(stringField(recordField(event, 'error'), 'message') ?? '', line);
      default:
        return [];
    }
  }

  #readItem(phase: string, item: Readonly<Record<string, unknown>>): readonly Observation[] {
    this.#networkWaits = 0;
    this.#lastError = undefined;
    if (item['type'] === 'agent_message') {
      const text = stringField(item, 'text') ?? '';
      this.#lastMessage = text;
      return phase === 'item.completed' ? [{ type: 'text', text, delta: false }] : [{ type: 'progress' }];
    }
    if (item['type'] === 'error') return [{ type: 'note', text: stringField(item, 'message') ?? '' }];
    const words = toolWords(item);
    if (words === undefined || phase === 'item.updated') return [{ type: 'progress' }];
    const [name, detail] = words;
    const status = phase === 'item.started' ? 'started' : toolEnd(item);
    return [{ type: 'tool', id: stringField(item, 'id') ?? '', name, detail: oneLine(detail), status }];
  }

  #readError(text: string, line: Line): readonly Observation[] {
    const retry = RETRY.exec(text);
    if (retry === null) {
      this.#lastError = { text, at: line.at };
      return [];
    }
    const isWaitingForNetwork = retry.groups?.['attempt'] === undefined;
    const finding = this.#classify(retry.groups?.['cause'] ?? '', line.at);
    if (finding.type === 'unknown' && !isWaitingForNetwork) this.#output.strange('phrase', text, line);
    if (finding.type !== 'signal' && !isWaitingForNetwork) return [{ type: 'note', text }];
    const status = /\bstatus:? (\d{3})\b/.exec(text)?.[1];
    const signal: Signal =
      finding.type === 'signal' && !isWaitingForNetwork
        ? { ...finding.signal, evidence: evidence(text) }
        : {
            ...{ kind: 'connection-failure', scope: 'seat', resetAt: undefined, untilCleared: false },
            ...{ source: 'event', reason: 'the API cannot be reached', evidence: evidence(text) },
          };
    return [
      {
        type: 'retrying',
        status: status === undefined ? undefined : Number(status),
        delayMs: isWaitingForNetwork ? this.#nextNetworkWait() : undefined,
        signal,
      },
    ];
  }

  #nextNetworkWait(): DurationMs {
    const wait = Math.min(NETWORK_WAIT_FIRST * 2 ** this.#networkWaits, NETWORK_WAIT_LONGEST);
    this.#networkWaits += 1;
    return durationMs(wait);
  }

  #readFailure(text: string, line: Line): readonly Observation[] {
    const finding = this.#classify(text, line.at);
    if (finding.type === 'signal') return [{ type: 'refused', signal: finding.signal }];
    if (finding.type === 'unknown') this.#output.strange('phrase', text, line);
    this.#failure = this.#failed(finding, text);
    return [];
  }

  #failed(finding: { readonly type: string; readonly reason?: string }, text: string): Verdict {
    const recognised = finding.type === 'task';
    return {
      type: 'failed',
      reason: finding.reason ?? firstLine(text),
      evidence: evidence(text),
      recognised,
    };
  }

  #classify(text: string, at: EpochMs) {
    return classify(codexPhrases, { text, at, zone: this.#context.zone, model: this.#context.model });
  }
}

function toolEnd(item: Readonly<Record<string, unknown>>): AgentTool['status'] {
  const exitCode = numberField(item, 'exit_code');
  return item['status'] === 'failed' || item['status'] === 'declined' || (exitCode ?? 0) !== 0
    ? 'failed'
    : 'done';
}

/** The tools among the item types; the rest (`reasoning`, `todo_list`) are the model at work. */
function toolWords(item: Readonly<Record<string, unknown>>): ToolWords | undefined {
  switch (item['type']) {
    case 'command_execution':
      return ['shell', stringField(item, 'command') ?? ''];
    case 'file_change':
      return [
        'edit',
        listField(item, 'changes')
          .map((change) => `${stringField(change, 'kind') ?? ''} ${stringField(change, 'path') ?? ''}`)
          .join(', '),
      ];
    case 'mcp_tool_call':
    case 'collab_tool_call':
      return [[stringField(item, 'server'), stringField(item, 'tool')].filter(Boolean).join('.'), ''];
    case 'web_search':
      return ['web search', stringField(item, 'query') ?? ''];
    default:
      return undefined;
  }
}
