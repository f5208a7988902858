import type { DurationMs } from '../../core/time.ts';
import { durationMs, HOUR, SECOND } from '../../core/time.ts';
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

/** The model answers with `text`. `headers` may say how full the seat's windows are. */
export function says(text: string = PLAIN_ANSWER, headers: Headers = {}): Played {
  return play(textStep(text, headers));
}

/** The model has `command` run by the Bash tool, and then answers with `answer`. */
export function runs(command: string, answer: string = PLAIN_ANSWER): Played {
  const input = JSON.stringify({ command, description: 'run' });
  return play(
    stream(
      'tool_use',
      { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} },
      { type: 'input_json_delta', partial_json: input },
    ),
    textStep(answer),
  );
}

/** A subscription's window is used up. What the CLI then does is up to it: it exits, or sleeps (CLAUDE_CODE_RETRY_WATCHDOG). */
export function closedWindow({
  window,
  resetsIn,
}: {
  window: 'five_hour' | 'seven_day';
  resetsIn: DurationMs;
}): Played {
  const isWeekly = window === 'seven_day';
  return play(
    refusal(
      429,
      'rate_limit_error',
      "This request would exceed your account's rate limit. Please try again later.",
      {
        'retry-after': String(resetsIn / SECOND),
        ...windows({
          status: 'rejected',
          claim: window,
          fiveHour: isWeekly
            ? OPEN_FIVE_HOURS
            : { status: 'rejected', utilization: '1.0', reset: epochSecondsIn(resetsIn) },
          sevenDay: isWeekly
            ? { status: 'rejected', utilization: '1.0', reset: epochSecondsIn(resetsIn) }
            : OPEN_WEEK,
        }),
        'anthropic-ratelimit-unified-overage-status': 'rejected',
        'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
      },
    ),
  );
}

/** The week's share of Opus is used up; the seat's own windows are open. */
export function closedModelWindow({ resetsIn }: { resetsIn: DurationMs }): Played {
  const reset = epochSecondsIn(resetsIn);
  return play(
    refusal(429, 'rate_limit_error', "This request would exceed your account's rate limit.", {
      'retry-after': String(resetsIn / SECOND),
      ...windows({
        ...{ status: 'rejected', claim: 'seven_day', fiveHour: OPEN_FIVE_HOURS },
        sevenDay: { ...OPEN_WEEK, reset },
      }),
      'anthropic-ratelimit-unified-representative-claim': 'seven_day_opus',
      'anthropic-ratelimit-unified-7d_opus-status': 'rejected',
      'anthropic-ratelimit-unified-7d_opus-reset': reset,
      'anthropic-ratelimit-unified-7d_opus-utilization': '1.0',
      'anthropic-ratelimit-unified-overage-status': 'rejected',
      'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
    }),
  );
}

/** The windows of a healthy seat, for `says`. */
export function openWindows(): Headers {
  return windows({ status: 'allowed', claim: 'five_hour', fiveHour: OPEN_FIVE_HOURS, sevenDay: OPEN_WEEK });
}

/** Two throttles without a word about windows, then the answer. */
export function throttledThenSays(): Played {
  const throttle = 'Number of requests has exceeded your per-minute rate limit.';
  return play(
    refusal(429, 'rate_limit_error', throttle),
    refusal(429, 'rate_limit_error', throttle, { 'retry-after': '1' }),
    textStep(),
  );
}

export function overloadedThenSays(): Played {
  return play(OVERLOADED, OVERLOADED, textStep());
}

export function overloadedForEver(): Played {
  return play(OVERLOADED);
}

/** An API key that the provider does not know: the CLI retries this for three minutes. */
export function badLogin(): Played {
  return play(refusal(401, 'authentication_error', 'invalid x-api-key'));
}

export function noBalance(): Played {
  const tooLow =
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.';
  return play(refusal(400, 'invalid_request_error', tooLow));
}

/** The stream breaks off in the middle of a sentence; asked again, the model answers. */
export function cutThenSays(): Played {
  return play(
    {
      sse: messageStart().concat(block({ type: 'text', text: '' }, textDelta('Half an answ')).slice(0, 2)),
      cut: true,
    },
    textStep(),
  );
}

export function refusesConnections(): Unreachable {
  return { wire: 'messages', steps: 'refuses-connections' };
}

function play(...steps: [Step, ...Step[]]): Played {
  return { wire: 'messages', steps };
}

const OVERLOADED = refusal(529, 'overloaded_error', 'Overloaded');

interface WindowHeaders {
  readonly status: 'allowed' | 'allowed_warning' | 'rejected';
  readonly utilization: string;
  readonly reset: Instant;
}

const OPEN_FIVE_HOURS: WindowHeaders = {
  status: 'allowed',
  utilization: '0.41',
  reset: epochSecondsIn(durationMs(2.5 * HOUR)),
};
/** Fuller than the week is old: 2.1.197 itself makes `allowed_warning` of it, on a run that is healthy. */
const OPEN_WEEK: WindowHeaders = {
  status: 'allowed',
  utilization: '0.62',
  reset: epochSecondsIn(durationMs(400_000 * SECOND)),
};

/** `claim` names the window that decides; `status` is its answer. */
function windows({
  status,
  claim,
  fiveHour,
  sevenDay,
}: {
  status: WindowHeaders['status'];
  claim: 'five_hour' | 'seven_day';
  fiveHour: WindowHeaders;
  sevenDay: WindowHeaders;
}): Headers {
  const one = (name: string, window: WindowHeaders): Headers => ({
    [`anthropic-ratelimit-unified-${name}-status`]: window.status,
    [`anthropic-ratelimit-unified-${name}-reset`]: window.reset,
    [`anthropic-ratelimit-unified-${name}-utilization`]: window.utilization,
  });
  return {
    'anthropic-ratelimit-unified-status': status,
    'anthropic-ratelimit-unified-reset': (claim === 'five_hour' ? fiveHour : sevenDay).reset,
    'anthropic-ratelimit-unified-representative-claim': claim,
    ...one('5h', fiveHour),
    ...one('7d', sevenDay),
  };
}

function refusal(status: number, type: string, message: string, headers: Headers = {}): Answer {
  return {
    status,
    headers,
    body: { type: 'error', error: { type, message }, request_id: 'req_0000000000000000' },
  };
}

function textStep(text: string = PLAIN_ANSWER, headers: Headers = {}): Stream {
  return { ...stream('end_turn', { type: 'text', text: '' }, textDelta(text)), headers };
}

function textDelta(text: string): object {
  return { type: 'text_delta', text };
}

function stream(stopReason: 'end_turn' | 'tool_use', content: object, delta: object): Stream {
  return {
    sse: [
      ...messageStart(),
      ...block(content, delta),
      [
        'message_delta',
        {
          type: 'message_delta',
          delta: { stop_reason: stopReason, stop_sequence: null },
          usage: { output_tokens: 5 },
        },
      ],
      ['message_stop', { type: 'message_stop' }],
    ],
  };
}

function messageStart(): ServerSentEvent[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  };
  return [['message_start', { type: 'message_start', message }]];
}

function block(content: object, delta: object): ServerSentEvent[] {
  return [
    ['content_block_start', { type: 'content_block_start', index: 0, content_block: content }],
    ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
    ['content_block_stop', { type: 'content_block_stop', index: 0 }],
  ];
}
