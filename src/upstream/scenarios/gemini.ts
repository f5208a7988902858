import type { DurationMs } from '../../core/time.ts';
import { HOUR, MINUTE, SECOND } from '../../core/time.ts';
import type { Answer, Played, Step, Stream, Unreachable } from '../scenario.ts';
import { isoIn } from '../scenario.ts';
import { PLAIN_ANSWER } from './words.ts';

const MODEL = 'gemini-2.5-pro';

/** The model answers with `text`. */
export function says(text: string = PLAIN_ANSWER): Played {
  return play(textStep(text));
}

/** The model has `command` run by the shell tool, and then answers with `answer`. */
export function runs(command: string, answer: string = PLAIN_ANSWER): Played {
  return play(stream({ functionCall: { name: 'run_shell_command', args: { command } } }), textStep(answer));
}

/** A plan's quota is used up. The CLI waits out the delay that comes with it, however long it is. */
export function closedWindow({ resetsIn }: { resetsIn: DurationMs }): Played {
  const delay = `${String(resetsIn / SECOND)}s`;
  return play(
    exhausted(
      `You have exhausted your capacity on this model. Your quota will reset after ${spoken(resetsIn)}.`,
      [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'QUOTA_EXHAUSTED',
          domain: 'cloudcode-pa.googleapis.com',
          metadata: {
            uiMessage: 'true',
            model: MODEL,
            quotaResetDelay: delay,
            quotaResetTimeStamp: isoIn(resetsIn),
          },
        },
        retryInfo(delay),
      ],
    ),
  );
}

/** The project's quota for the day is used up; the 34 s that the answer names mean nothing. */
export function closedDay(): Played {
  return play(
    exhausted('You exceeded your current quota, please check your plan and billing details.', [
      quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '50'),
      retryInfo('34s'),
    ]),
  );
}

/** The quota for the minute is used up, then the model answers. */
export function throttledThenSays(): Played {
  return play(
    exhausted('You exceeded your current quota. Please retry in 2.3s.', [
      quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '5'),
      retryInfo('2.3s'),
    ]),
    textStep(),
  );
}

export function overloadedThenSays(): Played {
  return play(overloaded(), textStep());
}

export function overloadedForEver(): Played {
  return play(overloaded());
}

export function noBalance(): Played {
  return play(
    exhausted('Your prepayment credits are depleted. Please go to AI Studio to manage your project.', []),
  );
}

/** An API key that the provider does not know. */
export function badLogin(): Played {
  return play(
    refusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'API_KEY_INVALID',
        domain: 'googleapis.com',
        metadata: { service: 'generativelanguage.googleapis.com' },
      },
    ]),
  );
}

/** The stream breaks off before it said anything. Asked again the model would answer, but 0.61.0 does not ask. */
export function cutThenSays(): Played {
  return play({ sse: [], cut: true }, textStep());
}

export function refusesConnections(): Unreachable {
  return { wire: 'generateContent', steps: 'refuses-connections' };
}

function play(...steps: [Step, ...Step[]]): Played {
  return { wire: 'generateContent', steps };
}

function refusal(code: number, status: string, message: string, details: readonly object[] = []): Answer {
  return { status: code, body: { error: { code, message, status, details } } };
}

function exhausted(message: string, details: readonly object[]): Answer {
  return refusal(429, 'RESOURCE_EXHAUSTED', message, details);
}

function overloaded(): Answer {
  return refusal(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.');
}

function retryInfo(retryDelay: string): object {
  return { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay };
}

function quotaFailure(quotaId: string, quotaValue: string): object {
  const violation = {
    quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
    quotaId,
    quotaDimensions: { location: 'global', model: MODEL },
    quotaValue,
  };
  return { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation] };
}

function textStep(text: string = PLAIN_ANSWER): Stream {
  return stream({ text });
}

function stream(part: object): Stream {
  const chunk = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, totalTokenCount: 14 },
    modelVersion: MODEL,
  };
  return { sse: [['', chunk]] };
}

/** As Google writes it: `3h5m20s`. */
function spoken(duration: DurationMs): string {
  const hours = Math.floor(duration / HOUR);
  const minutes = Math.floor((duration % HOUR) / MINUTE);
  const seconds = Math.floor((duration % MINUTE) / SECOND);
  return `${hours > 0 ? `${String(hours)}h` : ''}${minutes > 0 ? `${String(minutes)}m` : ''}${String(seconds)}s`;
}
