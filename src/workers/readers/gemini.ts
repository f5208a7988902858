import type { Exit, Line } from '../../core/line.ts';
import type { EpochMs } from '../../core/time.ts';
import type { Finding } from '../../signals/classify.ts';
import { classify } from '../../signals/classify.ts';
import { evidence } from '../../signals/evidence.ts';
import { geminiPhrases } from '../../signals/phrases/gemini.ts';
import type { Observation, Reader, ReaderContext, Verdict } from '../adapter.ts';
import type { JsonEvent } from '../json-lines.ts';
import { JsonLines, recordField, stringField } from '../json-lines.ts';
import { howItEnded, PlainOutput } from '../plain-output.ts';
import { describeTool } from '../tool-detail.ts';
import { GeminiStderr } from './gemini-stderr.ts';

/** `exit code → why`, where nothing else is printed: packages/core/src/utils/exitCodes.ts, 0.61.0. */
const EXIT_REASONS: Readonly<Record<number, string>> = {
  42: 'its input was refused',
  44: 'its sandbox failed',
  52: 'its configuration is wrong',
  53: 'it reached its limit of turns',
  54: 'a tool failed fatally',
  55: 'it does not trust this folder',
};

/**
 * Reads `gemini -o stream-json`. What counts: `result` with `status: "error"`, its own lines on stderr (retries are
 * told nowhere else), exit codes. Formats: packages/core/src/output/types.ts, 0.61.0, and our captures.
 */
export class GeminiReader implements Reader {
  readonly #context: ReaderContext;
  readonly #json = new JsonLines();
  readonly #plain = new PlainOutput(geminiPhrases);
  readonly #stderr = new GeminiStderr();
  #model: string | undefined;
  /** The assistant's text since the last tool result, which is the answer when the run ends here. */
  #answer = '';
  #gaveUp: { readonly code: string | undefined; readonly status: number | undefined } | undefined;
  #done: Verdict | undefined;
  #failure: Verdict | undefined;

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#model = context.model;
  }

  push(line: Line): readonly Observation[] {
    if (line.channel === 'stderr') return this.#readStderr(line);
    const parsed = this.#json.push(line.text);
    if (parsed.type === 'plain') return this.#plain.push({ ...line, text: parsed.text }, this.#context);
    if (parsed.events.length > 0) this.#plain.jsonSeen();
    return parsed.events.flatMap((event) => this.#read(event, line));
  }

  end(exit: Exit, at: EpochMs): Verdict {
    if (this.#done !== undefined) return this.#done;
    if (this.#failure !== undefined) return this.#failure;
    const plain = this.#plain.verdict(exit, at, this.#context);
    if (plain.type !== 'failed' || plain.recognised) return plain;
    // 41: FatalAuthenticationError, and every way of having no login (exitCodes.ts).
    if (exit.code === 41) return { type: 'refused', signal: notLoggedIn(plain.evidence) };
    const reason = exit.code === undefined ? undefined : EXIT_REASONS[exit.code];
    return reason === undefined
      ? plain
      : { ...plain, reason: `${reason} (${howItEnded(exit)})`, recognised: true };
  }

  #readStderr(line: Line): readonly Observation[] {
    this.#plain.push(line, this.#context);
    const said = this.#stderr.push(line.text);
    if (said === undefined) return [];
    if (said.type === 'gave-up') {
      this.#gaveUp = said;
      return [];
    }
    const finding = this.#classify(said.text, { status: said.status, code: undefined }, line.at);
    if (finding.type !== 'signal') return [{ type: 'note', text: said.text }];
    const signal = { ...finding.signal, evidence: evidence(line.text) };
    return [{ type: 'retrying', status: said.status, delayMs: said.delayMs, signal }];
  }

  #read(event: JsonEvent, line: Line): readonly Observation[] {
    switch (event.type) {
      case 'init': {
        const id = stringField(event, 'session_id');
        this.#model = stringField(event, 'model') ?? this.#model;
        return id === undefined ? [] : [{ type: 'conversation', id, model: this.#model }];
      }
      case 'message': {
        if (event['role'] !== 'assistant') return [];
        const text = stringField(event, 'content') ?? '';
        this.#answer += text;
        return [{ type: 'text', text, delta: event['delta'] === true }];
      }
      case 'tool_use':
        this.#answer = '';
        return [
          {
            type: 'tool',
            id: stringField(event, 'tool_id') ?? '',
            name: stringField(event, 'tool_name') ?? 'tool',
            detail: describeTool(recordField(event, 'parameters')),
            status: 'started',
          },
        ];
      case 'tool_result': {
        const status = event['status'] === 'error' ? 'failed' : 'done';
        return [{ type: 'tool', id: stringField(event, 'tool_id') ?? '', name: '', detail: '', status }];
      }
      case 'error':
        return [{ type: 'note', text: stringField(event, 'message') ?? '' }];
      case 'result':
        return this.#readResult(event, line);
      default:
        return [];
    }
  }

  #readResult(event: JsonEvent, line: Line): readonly Observation[] {
    if (event['status'] === 'success') {
      this.#done = { type: 'done', text: this.#answer };
      return [{ type: 'progress' }];
    }
    const message = stringField(recordField(event, 'error'), 'message') ?? '';
    const finding = this.#classify(message, this.#gaveUp, line.at);
    if (finding.type === 'signal') return [{ type: 'refused', signal: finding.signal }];
    const recognised = finding.type === 'task';
    const reason = recognised ? finding.reason : (message.split('\n', 1)[0] ?? '');
    this.#failure = { type: 'failed', reason, evidence: evidence(message), recognised };
    return [];
  }

  #classify(
    text: string,
    from: { readonly code: string | undefined; readonly status: number | undefined } | undefined,
    at: EpochMs,
  ): Finding {
    const { zone } = this.#context;
    return classify(geminiPhrases, {
      text,
      code: from?.code,
      status: from?.status,
      at,
      zone,
      model: this.#model,
    });
  }
}

function notLoggedIn(seen: string) {
  return {
    ...{ kind: 'auth-failure' as const, scope: 'seat' as const, resetAt: undefined, untilCleared: false },
    ...{ source: 'event' as const, reason: 'not logged in', evidence: seen },
  };
}
