import type { Exit, Line } from '../../core/line.ts';
import type { Signal } from '../../core/signal.ts';
import type { EpochMs } from '../../core/time.ts';
import { after } from '../../core/time.ts';
import type { Unknown } from '../../core/unknown.ts';
import type { Finding } from '../../signals/classify.ts';
import { classify } from '../../signals/classify.ts';
import { evidence } from '../../signals/evidence.ts';
import { withoutEscapes } from '../../signals/normalise.ts';
import { geminiPhrases } from '../../signals/phrases/gemini.ts';
import type { Observation, Reader, ReaderContext, Verdict } from '../adapter.ts';
import type { JsonEvent } from '../json-lines.ts';
import { recordField, stringField } from '../json-lines.ts';
import { CliOutput } from '../cli-output.ts';
import { howItEnded } from '../plain-output.ts';
import { describeTool } from '../tool-detail.ts';
import { firstLine } from '../first-line.ts';
import type { GaveUp, StderrFinding } from './gemini-stderr.ts';
import { GeminiStderr } from './gemini-stderr.ts';
import { briefResult } from './gemini-brief.ts';
import { geminiVocabulary } from './gemini-vocabulary.ts';

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
  readonly #output: CliOutput;
  readonly #stderr = new GeminiStderr();
  #model: string | undefined;
  /** The assistant's text since the last tool result, which is the answer when the run ends here. */
  #answer = '';
  #gaveUp: { readonly said: GaveUp; readonly at: EpochMs } | undefined;
  /** The agent went on after it: what was given up was a call of the CLI's own, such as choosing a model. */
  #wentOn = false;
  /** The agent said or did something at all. */
  #worked = false;
  /** The last refusal that it told of and retried over. */
  #trouble: Signal | undefined;
  #done: Verdict | undefined;
  #failure: Verdict | undefined;

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#output = new CliOutput(geminiPhrases, geminiVocabulary, context);
    this.#model = context.model;
  }

  get telling(): string | undefined {
    return this.#output.telling;
  }

  push(line: Line): readonly Observation[] {
    if (line.channel === 'stderr') return this.#readStderr(line);
    return this.#output.stdout(line, (event) => this.#read(event, line), briefResult);
  }

  end(exit: Exit, at: EpochMs): Verdict {
    if (this.#done !== undefined) return this.#done;
    if (this.#failure !== undefined) return this.#failure;
    // It may die without a result; its dump is then its last word.
    if (this.#gaveUp !== undefined && !this.#wentOn && exit.code !== 0)
      return this.#judge(this.#gaveUp.said.text, this.#gaveUp.at);
    const plain = this.#output.verdict(exit, at);
    if (plain.type !== 'failed' || plain.recognised) return plain;
    // 173 is 429 as a process can say it (429 mod 256).
    if (exit.code === 173) return { type: 'refused', signal: rateLimited(plain.evidence) };
    // 41: FatalAuthenticationError, and every way of having no login (exitCodes.ts).
    if (exit.code === 41) return { type: 'refused', signal: notLoggedIn(plain.evidence) };
    const reason = exit.code === undefined ? undefined : EXIT_REASONS[exit.code];
    return reason === undefined
      ? plain
      : { ...plain, reason: `${reason} (${howItEnded(exit)})`, recognised: true };
  }

  unknown(): readonly Unknown[] {
    return this.#output.unknown();
  }

  #readStderr(line: Line): readonly Observation[] {
    const text = withoutEscapes(line.text);
    this.#output.plain({ ...line, text });
    return this.#stderr.push(text).flatMap((said) => this.#readFinding(said, line));
  }

  #readFinding(said: StderrFinding, line: Line): readonly Observation[] {
    switch (said.type) {
      case 'strange':
        this.#output.strange('phrase', said.text, line);
        return [];
      case 'gave-up':
        this.#gaveUp = { said, at: line.at };
        this.#wentOn = false;
        return [];
      case 'retry': {
        const finding = this.#classify(said.text, { status: said.status, code: undefined }, line.at);
        if (finding.type === 'unknown') this.#output.strange('phrase', said.text, line);
        if (finding.type !== 'signal') return [{ type: 'note', text: said.text }];
        const signal = { ...finding.signal, evidence: evidence(line.text) };
        this.#trouble = signal;
        return [{ type: 'retrying', status: said.status, delayMs: said.delayMs, signal }];
      }
    }
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
        this.#wentOn = true;
        this.#worked ||= text !== '';
        this.#answer += text;
        return [{ type: 'text', text, delta: event['delta'] === true }];
      }
      case 'tool_use':
        this.#answer = '';
        this.#wentOn = true;
        this.#worked = true;
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
      return this.#readSuccess();
    }
    const message = stringField(recordField(event, 'error'), 'message') ?? '';
    const verdict = this.#judge(message, line.at);
    if (verdict.type === 'failed' && !verdict.recognised) this.#output.strange('phrase', message, line);
    return verdict.type === 'refused' ? [verdict] : [];
  }

  /**
   * A success that nothing was said or done in is none: after refusals that it retried over, it is the last of them
   * (reported of 0.2x: exit 0 and an empty answer after five 429s).
   */
  #readSuccess(): readonly Observation[] {
    if (this.#worked) {
      this.#done = { type: 'done', text: this.#answer };
      return [{ type: 'finished' }];
    }
    if (this.#trouble !== undefined) return [{ type: 'refused', signal: this.#trouble }];
    this.#failure = {
      type: 'failed',
      reason: 'it ended without saying anything',
      evidence: '',
      recognised: true,
    };
    return [];
  }

  /** What it said at its end, with what its dump says beside it. */
  #judge(text: string, at: EpochMs): Verdict {
    const finding = this.#classify(text, this.#gaveUp?.said, at);
    return (this.#failure =
      finding.type === 'signal'
        ? { type: 'refused', signal: withDelay(finding.signal, this.#gaveUp) }
        : {
            type: 'failed',
            reason: finding.type === 'task' ? finding.reason : firstLine(text),
            evidence: evidence(text),
            recognised: finding.type === 'task',
          });
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

/** A wait that the provider asked for beside its words is the reset when they name none. */
function withDelay(
  signal: Signal,
  gaveUp: { readonly said: GaveUp; readonly at: EpochMs } | undefined,
): Signal {
  const delayMs = gaveUp?.said.delayMs;
  if (gaveUp === undefined || delayMs === undefined || signal.kind !== 'rate-limit') return signal;
  return signal.resetAt === undefined ? { ...signal, resetAt: after(gaveUp.at, delayMs) } : signal;
}

function rateLimited(seen: string) {
  return { ...notLoggedIn(seen), kind: 'rate-limit' as const, reason: 'rate limited (exit 173)' };
}

function notLoggedIn(seen: string) {
  return {
    ...{ kind: 'auth-failure' as const, scope: 'seat' as const, resetAt: undefined, untilCleared: false },
    ...{ source: 'event' as const, reason: 'not logged in', evidence: seen },
  };
}
