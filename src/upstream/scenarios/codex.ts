import type { DurationMs, EpochSeconds } from '../../core/time.ts';
import { DAY, durationMs, HOUR } from '../../core/time.ts';
import type {
  Answer,
  Headers,
  Instant,
  Played,
  ServerSentEvent,
  Step,
  Stream,
  Unreachable,
} from '../scenario.ts';
import { epochSecondsIn } from '../scenario.ts';
import { PLAIN_ANSWER } from './words.ts';

const TWO_HOURS = durationMs(2 * HOUR);

/** The model answers with `text`. */
export function says(text: string = PLAIN_ANSWER): Played {
  return play(textStep(text));
}

/** The model has `command` run by the shell tool, and then answers with `answer`. */
export function runs(command: string, answer: string = PLAIN_ANSWER): Played {
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'exec_command',
    arguments: JSON.stringify({ cmd: command }),
  };
  return play(stream(call), textStep(answer));
}

/**
 * A plan's usage is used up. Codex prints `resetsAt` to the minute, in the time zone of its process; without it, it
 * says "try again later". `windows` are the headers that it also notes, to the second, in its rollout file.
 */
export function usageLimit({
  resetsAt,
  plan = 'plus',
  windows = {},
}: {
  resetsAt?: EpochSeconds | Instant;
  plan?: 'plus' | 'pro' | 'team' | 'free';
  windows?: Headers;
}): Played {
  const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: plan };
  return play({
    status: 429,
    headers: windows,
    body: { error: resetsAt === undefined ? error : { ...error, resets_at: resetsAt } },
  });
}

/** The five-hour window is full and the week is not: the headers that come with a `usageLimit`. */
export function fullFiveHours(reset: EpochSeconds | Instant = epochSecondsIn(TWO_HOURS)): Headers {
  return {
    'x-codex-primary-used-percent': '100',
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': typeof reset === 'number' ? String(reset) : reset,
    'x-codex-secondary-used-percent': '34',
    'x-codex-secondary-window-minutes': '10080',
    'x-codex-secondary-reset-at': epochSecondsIn(durationMs(4.5 * DAY)),
  };
}

/** A closed five-hour window that opens again after a while, as most people meet it. */
export function closedWindow({ resetsIn = TWO_HOURS } = {}): Played {
  const reset = epochSecondsIn(resetsIn);
  return usageLimit({ resetsAt: reset, windows: fullFiveHours(reset) });
}

/** A model with a limit of its own has used it up; the seat's windows are open. */
export function closedModelWindow({ resetsIn }: { resetsIn: DurationMs }): Played {
  const reset = epochSecondsIn(resetsIn);
  return usageLimit({
    resetsAt: reset,
    windows: {
      'x-codex-active-limit': 'codex_bengalfox',
      'x-codex-bengalfox-limit-name': 'GPT-5.3-Codex-Spark',
      'x-codex-bengalfox-primary-used-percent': '100',
      'x-codex-bengalfox-primary-window-minutes': '300',
      'x-codex-bengalfox-primary-reset-at': reset,
    },
  });
}

/** One throttle that names its delay, then the answer. */
export function throttledThenSays(): Played {
  const message =
    'Rate limit reached for gpt-5 in organization org-0000 on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 1.898s.';
  return play(
    {
      ...refusal(429, { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded', message }),
      headers: { 'retry-after': '1' },
    },
    textStep(),
  );
}

export function overloadedThenSays(): Played {
  return play(overloaded(), textStep());
}

export function overloadedForEver(): Played {
  return play(overloaded());
}

/** An API key that the provider does not know. */
export function badLogin(): Played {
  const message =
    'Incorrect API key provided: sk-made-up. You can find your API key at https://platform.openai.com/account/api-keys.';
  return play(refusal(401, { message, type: 'invalid_request_error', code: 'invalid_api_key' }));
}

export function noBalance(): Played {
  const message =
    'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.';
  return play(refusal(429, { type: 'insufficient_quota', code: 'insufficient_quota', message }));
}

/** The stream breaks off after its first event; asked again, the model answers. */
export function cutThenSays(): Played {
  return play({ sse: [created()], cut: true }, textStep());
}

export function refusesConnections(): Unreachable {
  return { wire: 'responses', steps: 'refuses-connections' };
}

function play(...steps: [Step, ...Step[]]): Played {
  return { wire: 'responses', steps };
}

function refusal(status: number, error: object): Answer {
  return { status, body: { error } };
}

function overloaded(): Answer {
  const message = 'Our servers are currently overloaded. Please try again later.';
  return {
    ...refusal(503, { code: 'server_is_overloaded', type: 'server_error', message }),
    headers: { 'retry-after': '1' },
  };
}

function textStep(text: string = PLAIN_ANSWER): Stream {
  return stream({
    type: 'message',
    role: 'assistant',
    id: 'msg_1',
    content: [{ type: 'output_text', text }],
  });
}

function stream(item: object): Stream {
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 13,
  };
  return {
    sse: [
      created(),
      ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
      [
        'response.completed',
        { type: 'response.completed', response: { ...RESPONSE, status: 'completed', usage } },
      ],
    ],
  };
}

const RESPONSE = { id: 'resp_1', object: 'response', output: [] };

function created(): ServerSentEvent {
  return ['response.created', { type: 'response.created', response: { ...RESPONSE, status: 'in_progress' } }];
}
