import type { Exit, Line } from '../../core/line.ts';
import type { Signal, SignalKind } from '../../core/signal.ts';
import type { EpochMs } from '../../core/time.ts';
import { durationMs } from '../../core/time.ts';
import type { Unknown } from '../../core/unknown.ts';
import { classify } from '../../signals/classify.ts';
import { evidence } from '../../signals/evidence.ts';
import { claudePhrases } from '../../signals/phrases/claude.ts';
import type { Observation, Reader, ReaderContext, Verdict } from '../adapter.ts';
import type { JsonEvent } from '../json-lines.ts';
import { listField, numberField, recordField, stringField } from '../json-lines.ts';
import { CliOutput } from '../cli-output.ts';
import { describeTool } from '../tool-detail.ts';
import { firstLine } from '../first-line.ts';
import type { ClosedClaudeWindow } from './claude-windows.ts';
import { briefResult } from './claude-brief.ts';
import { claudeVocabulary } from './claude-vocabulary.ts';
import { readRateLimitInfo } from './claude-windows.ts';

/** What a run may end on by the limits that its user set: turns, budget, tries at structured output (sdk.d.ts 0.3.332). */
const OWN_LIMITS = /^error_max_\w+$/;

/**
 * Reads `claude -p --output-format stream-json --verbose`. What counts: `system/api_retry`, `rate_limit_event`, an
 * assistant line that Claude Code wrote itself, a `result` with `is_error`, the end. Formats:
 * @anthropic-ai/claude-agent-sdk 0.3.197 and 0.3.332 `sdk.d.ts`, and our captures.
 */
export class ClaudeReader implements Reader {
  readonly #context: ReaderContext;
  readonly #output: CliOutput;
  #model: string | undefined;
  #done: Verdict | undefined;
  #failure: Verdict | undefined;
  #closed: ClosedClaudeWindow | undefined;

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#output = new CliOutput(claudePhrases, claudeVocabulary, context);
    this.#model = context.model;
  }

  get telling(): string | undefined {
    return this.#output.telling;
  }

  push(line: Line): readonly Observation[] {
    if (line.channel === 'stderr') return this.#output.plain(line);
    return this.#output.stdout(line, (event) => this.#read(event, line), briefResult);
  }

  end(exit: Exit, at: EpochMs): Verdict {
    const verdict = this.#done ?? this.#failure ?? this.#output.verdict(exit, at);
    if (verdict.type !== 'failed' || verdict.recognised || this.#closed === undefined) return verdict;
    // It closed a window without a reset, and died before it could say more.
    const { evidence: seen } = verdict;
    const signal = { ...this.#closed, untilCleared: false, source: 'event' as const, evidence: seen };
    return { type: 'refused', signal };
  }

  unknown(): readonly Unknown[] {
    return this.#output.unknown();
  }

  #read(event: JsonEvent, line: Line): readonly Observation[] {
    switch (event.type) {
      case 'system':
        return this.#readSystem(event, line);
      case 'rate_limit_event':
        return this.#readWindows(event, line);
      case 'assistant':
        return this.#readAssistant(event, line);
      case 'user':
        return readToolResults(event);
      case 'stream_event':
        return [{ type: 'progress' }];
      case 'result':
        return [...costOf(event), ...this.#readResult(event, line)];
      default:
        return [];
    }
  }

  #readSystem(event: JsonEvent, line: Line): readonly Observation[] {
    const subtype = stringField(event, 'subtype');
    if (subtype === 'api_retry') return this.#readRetry(event, line);
    const id = stringField(event, 'session_id');
    if (subtype !== 'init' || id === undefined) return [];
    this.#model = stringField(event, 'model') ?? this.#model;
    return [{ type: 'conversation', id, model: this.#model }];
  }

  #readRetry(event: JsonEvent, line: Line): readonly Observation[] {
    const status = numberField(event, 'error_status');
    const code = stringField(event, 'error') ?? 'unknown';
    const delay = numberField(event, 'retry_delay_ms');
    const signal: Signal = this.#withClosedWindow({
      kind: retryKind(status, code, event['error_status'] === null),
      scope: 'seat',
      resetAt: undefined,
      untilCleared: false,
      source: 'event',
      reason: retryReason(status, code),
      evidence: evidence(line.text),
    });
    const delayMs = delay === undefined ? undefined : durationMs(Math.max(0, delay));
    return [{ type: 'retrying', status, delayMs, signal }];
  }

  #readWindows(event: JsonEvent, line: Line): readonly Observation[] {
    const { readings, closed } = readRateLimitInfo(recordField(event, 'rate_limit_info'), this.#model);
    this.#closed = closed;
    // Without a reset the very next line says more: the CLI's own words, or the delay that it is going to sleep.
    if (closed?.resetAt === undefined) return readings;
    const signal = {
      ...closed,
      untilCleared: false,
      source: 'event' as const,
      evidence: evidence(line.text),
    };
    return [...readings, { type: 'refused', signal }];
  }

  #readAssistant(event: JsonEvent, line: Line): readonly Observation[] {
    const message = recordField(event, 'message');
    const code = stringField(event, 'error');
    // Claude Code speaks itself; before `error` was added (2.1.4x) this name of no model was the only mark.
    if (code === undefined && message['model'] !== '<synthetic>') return readContent(event);
    const text = listField(message, 'content')
      .map((block) => stringField(block, 'text') ?? '')
      .join('\n');
    const observations = this.#judge(text, { code, line, inSubagent: isSubagent(event) });
    if (code === undefined) this.#failure = undefined;
    return observations;
  }

  #readResult(event: JsonEvent, line: Line): readonly Observation[] {
    const subtype = stringField(event, 'subtype') ?? '';
    const text = stringField(event, 'result') ?? '';
    if (event['is_error'] !== true && subtype === 'success') {
      this.#done = { type: 'done', text };
      return [{ type: 'finished' }];
    }
    if (OWN_LIMITS.test(subtype)) {
      const reason = subtype.replace(/^error_/, '').replaceAll('_', ' ');
      this.#failure = { type: 'failed', reason, evidence: evidence(line.text), recognised: true };
      return [];
    }
    const errors = Array.isArray(event['errors'])
      ? event['errors'].filter((error) => typeof error === 'string')
      : [];
    const said = text === '' ? errors.join('\n') : text;
    return this.#judge(said, { status: numberField(event, 'api_error_status'), line, inSubagent: false });
  }

  #judge(
    text: string,
    {
      code,
      status,
      line,
      inSubagent,
    }: { code?: string | undefined; status?: number | undefined; line: Line; inSubagent: boolean },
  ): readonly Observation[] {
    const { zone } = this.#context;
    const finding = classify(claudePhrases, { text, code, status, at: line.at, zone, model: this.#model });
    if (finding.type === 'signal') {
      const signal = this.#withClosedWindow(finding.signal);
      // A subagent that met a busy provider has failed alone: the agent that sent it decides what follows.
      if (inSubagent && (signal.kind === 'overloaded' || signal.kind === 'server-error')) return [];
      return [{ type: 'refused', signal }];
    }
    if (finding.type === 'unknown') this.#output.strange('phrase', text, line);
    if (finding.type === 'chatter' || inSubagent) return [];
    // The assistant line has the vendor's code and the result its status: what either recognises stands.
    if (finding.type === 'unknown' && this.#failure !== undefined) return [];
    const known = finding.type === 'task' ? finding : undefined;
    const reason = known?.reason ?? firstLine(text);
    this.#failure = {
      ...{ type: 'failed', reason, evidence: evidence(text), recognised: known !== undefined },
      ...(known?.lost && { lost: true }),
    };
    return [];
  }

  /** An event that closed a window is trusted before the wording, or the capped delay, that follows it. */
  #withClosedWindow(signal: Signal): Signal {
    if (this.#closed === undefined || signal.kind !== 'rate-limit') return signal;
    const { scope, reason, resetAt } = this.#closed;
    const named = resetAt === undefined ? {} : { resetAt, source: 'event' as const };
    return { ...signal, scope, reason, ...named };
  }
}

function retryKind(status: number | undefined, code: string, isNoAnswer: boolean): SignalKind {
  // The status is the provider's, the code Claude Code's reading of it: where they differ the status is right.
  if (status === 429) return 'rate-limit';
  if (status === 529 || status === 503) return 'overloaded';
  if (status === 402) return 'out-of-credits';
  if (status === 401 || status === 403) return 'auth-failure';
  if (status === undefined && code === 'rate_limit') return 'rate-limit';
  if (status === undefined && code === 'overloaded') return 'overloaded';
  if (status === undefined && code === 'billing_error') return 'out-of-credits';
  if (status === undefined && code === 'authentication_failed') return 'auth-failure';
  // "error_status is null for connection errors" (sdk.d.ts 0.3.197, SDKAPIRetryMessage).
  return isNoAnswer ? 'connection-failure' : 'server-error';
}

function retryReason(status: number | undefined, code: string): string {
  if (status === undefined) return 'the API cannot be reached';
  const said = code === 'unknown' ? 'the API refuses' : code.replaceAll('_', ' ');
  return `${said} (HTTP ${String(status)})`;
}

/** `total_cost_usd` of a result (sdk.d.ts 0.3.197): Claude Code's own estimate, also under a subscription. */
function costOf(event: JsonEvent): readonly Observation[] {
  const usd = numberField(event, 'total_cost_usd');
  return usd === undefined || usd < 0 ? [] : [{ type: 'cost', usd }];
}

function isSubagent(event: JsonEvent): boolean {
  return typeof event['parent_tool_use_id'] === 'string';
}

function readContent(event: JsonEvent): readonly Observation[] {
  return listField(recordField(event, 'message'), 'content').map((block): Observation => {
    const text = stringField(block, 'text');
    if (block['type'] === 'text' && text !== undefined && !isSubagent(event))
      return { type: 'text', text, delta: false };
    if (block['type'] !== 'tool_use') return { type: 'progress' };
    const name = stringField(block, 'name') ?? 'tool';
    const detail = describeTool(recordField(block, 'input'));
    return { type: 'tool', id: stringField(block, 'id') ?? '', name, detail, status: 'started' };
  });
}

function readToolResults(event: JsonEvent): readonly Observation[] {
  return listField(recordField(event, 'message'), 'content')
    .filter((block) => block['type'] === 'tool_result')
    .map((block) => ({
      type: 'tool',
      id: stringField(block, 'tool_use_id') ?? '',
      name: '',
      detail: '',
      status: block['is_error'] === true ? 'failed' : 'done',
    }));
}
