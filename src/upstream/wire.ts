import type { ServerSentEvent, WireName } from './scenario.ts';

/** What the upstream has to know of a protocol to tell a model call from small talk, and to answer both. */
export interface Wire {
  /** Paths are without the lane and without the query. */
  isModelCall(method: string, path: string): boolean;
  /** Whether the caller wants events; the others get the same answer in one piece, by `whole`. */
  wantsStream(path: string, body: unknown): boolean;
  whole(events: readonly ServerSentEvent[]): unknown;
  /** The answer to what a CLI asks besides, or `undefined` for 404. */
  aside(method: string, path: string): unknown;
}

const messages: Wire = {
  isModelCall: (method, path) => method === 'POST' && path === '/v1/messages',
  wantsStream: (_path, body) => isRecord(body) && body['stream'] === true,
  // claude 2.1.197 asks again without a stream when a stream broke off (seen 2026-11-29).
  whole: wholeMessage,
  aside(method, path) {
    // claude 2.1.197 warms its connection with HEAD on the base URL before the first call.
    if (method === 'HEAD') return {};
    return path === '/v1/messages/count_tokens' ? { input_tokens: 10 } : undefined;
  },
};

const responses: Wire = {
  isModelCall: (method, path) => method === 'POST' && path === '/v1/responses',
  wantsStream: (_path, body) => isRecord(body) && body['stream'] === true,
  whole(events) {
    const response = asRecord(asRecord(events.at(-1)?.[1])['response']);
    const items = events.filter(([name]) => name === 'response.output_item.done');
    return { ...response, output: items.map(([, data]) => asRecord(data)['item']) };
  },
  aside: () => undefined,
};

const generateContent: Wire = {
  isModelCall: (method, path) =>
    method === 'POST' && /^\/v1beta\/models\/[^/]+:(streamG|g)enerateContent$/.test(path),
  wantsStream: (path) => path.endsWith(':streamGenerateContent'),
  whole: (events) => events.at(-1)?.[1] ?? {},
  aside: (_method, path) => (path.endsWith(':countTokens') ? { totalTokens: 10 } : undefined),
};

export const WIRES: Readonly<Record<WireName, Wire>> = { messages, responses, generateContent };

/** Folds Anthropic's events back into the message that they are the pieces of. */
function wholeMessage(events: readonly ServerSentEvent[]): unknown {
  const content: Record<string, unknown>[] = [];
  let message: Record<string, unknown> = {};
  for (const [name, data] of events) {
    const event = asRecord(data);
    const delta = asRecord(event['delta']);
    const block = content.at(-1);
    if (name === 'message_start') message = asRecord(event['message']);
    if (name === 'content_block_start') content.push({ ...asRecord(event['content_block']) });
    if (name === 'content_block_delta' && block !== undefined) {
      if (typeof delta['text'] === 'string') block['text'] = delta['text'];
      if (typeof delta['partial_json'] === 'string') block['input'] = JSON.parse(delta['partial_json']);
    }
    if (name === 'message_delta') message = { ...message, ...delta };
  }
  return { ...message, content };
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
