import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DurationMs } from '../../src/core/time.ts';
import { durationMs, epochMs, HOUR, SECOND } from '../../src/core/time.ts';
import type { Scenario } from '../../src/upstream/scenario.ts';
import { epochSecondsIn, isoIn, resolveInstants } from '../../src/upstream/scenario.ts';
import * as claude from '../../src/upstream/scenarios/claude.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import * as gemini from '../../src/upstream/scenarios/gemini.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import { startUpstream } from '../../src/upstream/upstream.ts';

const NOW = epochMs(Date.UTC(2026, 10, 29, 12, 0, 0, 250));
const NOW_SECONDS = Math.floor(NOW / SECOND);
const TWO_HOURS = durationMs(2 * HOUR);

async function upstreamPlaying<Lane extends string>(
  scenarios: Readonly<Record<Lane, Scenario>>,
  slept: DurationMs[] = [],
): Promise<Upstream<Lane>> {
  const clock = {
    now: () => NOW,
    sleep(duration: DurationMs) {
      slept.push(duration);
      return Promise.resolve();
    },
  };
  const started = await startUpstream({ scenarios, clock });
  if (!started.ok) throw new Error(started.error);
  const upstream = started.value;
  onTestFinished(() => upstream.close());
  return upstream;
}

function ask(url: string, path: string, body: unknown = {}): Promise<Response> {
  return fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
}

describe('a lane', () => {
  it('plays its steps in order and repeats the last', async () => {
    const upstream = await upstreamPlaying({ work: claude.throttledThenSays() });
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      statuses.push((await ask(upstream.url('work'), '/v1/messages', { stream: true })).status);
    }
    expect(statuses).toEqual([429, 429, 200, 200]);
    expect(upstream.calls('work').map(({ step }) => step)).toEqual([0, 1, 2, 2]);
  });

  it('plays for itself, whatever the others were asked', async () => {
    const upstream = await upstreamPlaying({
      one: codex.throttledThenSays(),
      other: codex.throttledThenSays(),
    });
    expect((await ask(upstream.url('one'), '/v1/responses')).status).toBe(429);
    expect((await ask(upstream.url('other'), '/v1/responses')).status).toBe(429);
    expect(upstream.calls('one')).toHaveLength(1);
  });

  it('starts another scenario from its first step', async () => {
    const upstream = await upstreamPlaying({ work: gemini.closedWindow({ resetsIn: TWO_HOURS }) });
    const path = '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse';
    expect((await ask(upstream.url('work'), path)).status).toBe(429);
    upstream.play('work', gemini.says());
    expect((await ask(upstream.url('work'), path)).status).toBe(200);
  });

  it('waits as long as a step says before it answers', async () => {
    const slept: DurationMs[] = [];
    const slow: Scenario = { wire: 'messages', steps: [{ status: 500, body: {}, delay: TWO_HOURS }] };
    const upstream = await upstreamPlaying({ slow }, slept);
    expect((await ask(upstream.url('slow'), '/v1/messages')).status).toBe(500);
    expect(slept).toEqual([TWO_HOURS]);
  });

  it('breaks the connection off after the events of a cut step', async () => {
    const upstream = await upstreamPlaying({ work: claude.cutThenSays() });
    const response = await ask(upstream.url('work'), '/v1/messages', { stream: true });
    let received = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? [])
        received += new TextDecoder().decode(chunk as Uint8Array);
    })();
    await expect(reading).rejects.toThrow();
    expect(received).toContain('Half an answ');
  });

  it('refuses connections where its scenario says so', async () => {
    const upstream = await upstreamPlaying({ away: claude.refusesConnections() });
    const socket = connect(Number(new URL(upstream.url('away')).port), '127.0.0.1');
    const code = await new Promise((resolve) => {
      socket.on('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code);
      });
      socket.on('connect', resolve);
    });
    expect(code).toBe('ECONNREFUSED');
  });
});

describe('instants', () => {
  it('count from when the step is played, in headers and in bodies', async () => {
    const reset = epochSecondsIn(TWO_HOURS);
    const upstream = await upstreamPlaying({
      work: codex.usageLimit({ resetsAt: reset, windows: codex.fullFiveHours(reset) }),
    });
    const response = await ask(upstream.url('work'), '/v1/responses');
    expect(response.headers.get('x-codex-primary-reset-at')).toBe(String(NOW_SECONDS + 7_200));
    expect(await response.json()).toMatchObject({ error: { resets_at: NOW_SECONDS + 7_200 } });
  });

  it('are found however deep they lie, and nothing else is touched', () => {
    const value = { list: [1, { iso: isoIn(TWO_HOURS) }], text: '$in', none: null };
    expect(resolveInstants(value, NOW)).toEqual({
      list: [1, { iso: '2026-11-29T14:00:00.250Z' }],
      text: '$in',
      none: null,
    });
  });
});

describe('a caller that asks for no stream', () => {
  it('gets a message with its tool use in one piece', async () => {
    const upstream = await upstreamPlaying({ work: claude.runs('echo hi') });
    const response = await ask(upstream.url('work'), '/v1/messages');
    expect(await response.json()).toMatchObject({
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'Bash', input: { command: 'echo hi' } }],
    });
  });

  it('gets a response with its items, or a candidate', async () => {
    const upstream = await upstreamPlaying({ work: codex.says('Hm.'), other: gemini.says('Hm.') });
    expect(await (await ask(upstream.url('work'), '/v1/responses')).json()).toMatchObject({
      status: 'completed',
      output: [{ type: 'message', content: [{ text: 'Hm.' }] }],
    });
    const path = '/v1beta/models/gemini-2.5-pro:generateContent';
    expect(await (await ask(upstream.url('other'), path)).json()).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'Hm.' }] } }],
    });
  });
});

describe('a port', () => {
  it('that is taken, or is none of this machine, is an answer and no crash', async () => {
    const upstream = await upstreamPlaying({});
    const port = Number(new URL(upstream.proxy).port);
    expect(await startUpstream({ scenarios: {}, port })).toEqual({
      ok: false,
      error: 'the system says EADDRINUSE',
    });
    // TEST-NET-3: no machine's own.
    expect(await startUpstream({ scenarios: {}, host: '203.0.113.1' })).toEqual({
      ok: false,
      error: 'the system says EADDRNOTAVAIL',
    });
  });
});

describe('what is recorded', () => {
  it('tells model calls from what a CLI asks besides, and uses no step up for the latter', async () => {
    const upstream = await upstreamPlaying({ work: claude.throttledThenSays() });
    const head = await fetch(upstream.url('work'), { method: 'HEAD' });
    const count = await ask(upstream.url('work'), '/v1/messages/count_tokens?beta=true');
    const other = await ask(upstream.url('work'), '/v1/nonsense');
    expect([head.status, count.status, other.status]).toEqual([200, 200, 404]);
    expect(upstream.calls('work')).toEqual([]);
    expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'HEAD ',
      'POST /v1/messages/count_tokens?beta=true',
      'POST /v1/nonsense',
    ]);
  });

  it('says who asked for a host through the proxy, and lets nobody out', async () => {
    const upstream = await upstreamPlaying({});
    const socket = connect(Number(new URL(upstream.proxy).port), '127.0.0.1');
    socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    const answer: unknown[] = await socket.toArray();
    expect(answer).toEqual([]);
    expect(upstream.strays).toEqual(['example.com:443']);
  });

  it('says who asked the proxy for a page without TLS, and lets nobody out', async () => {
    const upstream = await upstreamPlaying({ work: claude.says() });
    const socket = connect(Number(new URL(upstream.proxy).port), '127.0.0.1');
    socket.write('GET http://example.com/x HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n');
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(upstream.strays).toEqual(['example.com']);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    {
      lane: 'claude',
      path: '/v1/messages',
      body: {
        messages: [
          { content: 'hi' },
          { content: [{ type: 'tool_result', content: [{ type: 'text', text: 'out' }] }] },
        ],
      },
    },
    {
      lane: 'codex',
      path: '/v1/responses',
      body: { input: [{ type: 'function_call_output', output: 'out' }] },
    },
    {
      lane: 'gemini',
      path: '/v1beta/models/m:generateContent',
      body: {
        contents: [{ parts: [{ text: 'hi' }, { functionResponse: { response: { output: 'out' } } }] }],
      },
    },
  ] as const)('holds what $lane says that its tools printed', async ({ lane, path, body }) => {
    const upstream = await upstreamPlaying({
      claude: claude.says(),
      codex: codex.says(),
      gemini: gemini.says(),
    });
    await ask(upstream.url(lane), path, body);
    expect(upstream.calls(lane).map(({ toolOutputs }) => toolOutputs)).toEqual([['out']]);
  });
});
