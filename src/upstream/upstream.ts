import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { EpochMs } from '../core/time.ts';
import type { Clock } from '../system/clock.ts';
import { systemClock } from '../system/clock.ts';
import { causeOf, isSystemError } from '../system/system-error.ts';
import { toolOutputs } from './conversation.ts';
import type { RefusingPort } from './refusing-port.ts';
import { holdRefusingPort } from './refusing-port.ts';
import type { Scenario, Step } from './scenario.ts';
import { resolveHeaders, resolveInstants } from './scenario.ts';
import type { Wire } from './wire.ts';
import { WIRES } from './wire.ts';

/**
 * A provider on this machine that plays scenarios, so that real CLIs can be driven into every refusal without an
 * account. Each lane is one provider of its own: a path in the base URL, which all three CLIs keep as it is.
 */
export interface Upstream<Lane extends string> {
  /** The base URL to give to a lane's CLI (Codex wants `/v1` after it). */
  url(lane: Lane): string;
  /** The model calls that a lane received, in order. */
  calls(lane: Lane): readonly Call[];
  /** Everything that was asked of anybody, model calls included. */
  readonly requests: readonly Call[];
  /** A proxy that connects to nowhere: whoever honours `HTTPS_PROXY` and means to leave this machine ends in `strays`. */
  readonly proxy: string;
  /** The hosts that were asked for through `proxy`. */
  readonly strays: readonly string[];
  /** Lets a lane start a scenario, from its first step. */
  play(lane: Lane, scenario: Scenario): void;
  close(): Promise<void>;
}

/** One request as it came. */
export interface Call {
  readonly lane: string;
  readonly method: string;
  /** Without the lane, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON, or the text where it is none. */
  readonly body: unknown;
  /** When it had come in whole: the instants of its answer count from here. */
  readonly at: EpochMs;
  /** What the agent's tools had printed by then, as the CLI tells the model. */
  readonly toolOutputs: readonly string[];
  /** Which step of the scenario answered; `undefined` for what is no model call. */
  readonly step: number | undefined;
}

interface Track {
  scenario: Scenario;
  next: number;
}

const LOOPBACK = '127.0.0.1';

/** Listens on a port that is free, of this machine alone. The error is the end of a sentence: "the system says EADDRINUSE". */
export async function startUpstream<Lane extends string>({
  scenarios,
  clock = systemClock,
  host = LOOPBACK,
  port = 0,
}: {
  readonly scenarios: Readonly<Record<Lane, Scenario>>;
  readonly clock?: Pick<Clock, 'now' | 'sleep'>;
  readonly host?: string;
  /** Zero: any that is free. */
  readonly port?: number;
}): Promise<Result<Upstream<Lane>, string>> {
  const tracks = new Map<string, Track>(
    Object.entries<Scenario>(scenarios).map(([lane, scenario]) => [lane, { scenario, next: 0 }]),
  );
  const requests: Call[] = [];
  const strays: string[] = [];
  const closing = new AbortController();

  const server = createServer((request, response) => {
    void answer(request, response);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    strays.push(request.url ?? '');
    socket.destroy();
  });
  const refusal = await listen(server, host, port);
  if (refusal !== undefined) return err(refusal);
  const origin = `http://${host}:${String((server.address() as AddressInfo).port)}`;
  const nobody = await refusingPort(host);
  if (!nobody.ok) {
    server.close();
    return nobody;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await textOf(request);
    if (raw === undefined) return;
    // A proxy is asked for whole URLs; that one is a provider here, and no way out, is the point of it.
    const stray = /^http:\/\/([^/]+)/.exec(request.url ?? '')?.[1];
    if (stray !== undefined) {
      strays.push(stray);
      sendJson(response, 403, { error: { message: 'nothing leaves this machine' } });
      return;
    }
    const { lane, path } = split(request.url ?? '/');
    const { method = '', headers } = request;
    const track = tracks.get(lane);
    const step = track === undefined ? undefined : takeStep(track, method, path);
    const body = parsed(raw);
    const printed = track === undefined ? [] : toolOutputs(track.scenario.wire, body);
    const call = {
      lane,
      method,
      path,
      headers,
      body,
      at: clock.now(),
      toolOutputs: printed,
      step: step?.index,
    };
    requests.push(call);
    if (track === undefined || step === undefined) {
      const aside = track && WIRES[track.scenario.wire].aside(method, withoutQuery(path));
      sendJson(response, aside === undefined ? 404 : 200, aside ?? { error: { message: 'not found' } });
      return;
    }
    if (step.play.delay !== undefined) await clock.sleep(step.play.delay, closing.signal);
    if (!response.destroyed) perform(step.play, call, WIRES[track.scenario.wire], response);
  }

  return ok({
    url: (lane) =>
      tracks.get(lane)?.scenario.steps === 'refuses-connections'
        ? `http://${host}:${String(nobody.value.port)}/${lane}`
        : `${origin}/${lane}`,
    calls: (lane) => requests.filter((call) => call.lane === lane && call.step !== undefined),
    requests,
    proxy: origin,
    strays,
    play(lane, scenario) {
      tracks.set(lane, { scenario, next: 0 });
    },
    async close() {
      closing.abort();
      nobody.value.release();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}

function takeStep(track: Track, method: string, path: string): { index: number; play: Step } | undefined {
  const { scenario } = track;
  if (scenario.steps === 'refuses-connections') return undefined;
  if (!WIRES[scenario.wire].isModelCall(method, withoutQuery(path))) return undefined;
  const index = Math.min(track.next, scenario.steps.length - 1);
  track.next += 1;
  return { index, play: scenario.steps[index] ?? scenario.steps[0] };
}

function perform(step: Step, call: Call, wire: Wire, response: ServerResponse): void {
  const headers = resolveHeaders(step.headers ?? {}, call.at);
  if ('status' in step) {
    sendJson(response, step.status, resolveInstants(step.body, call.at), headers);
    return;
  }
  if (!wire.wantsStream(withoutQuery(call.path), call.body)) {
    if (step.cut === true) response.destroy();
    else sendJson(response, 200, resolveInstants(wire.whole(step.sse), call.at), headers);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  const events = step.sse.map(([name, data]) => {
    const json = JSON.stringify(resolveInstants(data, call.at));
    return `${name === '' ? '' : `event: ${name}\n`}data: ${json}\n\n`;
  });
  // What was written has to reach the CLI before the connection breaks off.
  if (step.cut === true) response.write(events.join(''), () => response.destroy());
  else response.end(events.join(''));
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The request's body; `undefined` when the CLI went away while it was still asking. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  try {
    return await text(request);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return undefined;
    throw error;
  }
}

/** Where there is a loopback that listens and no way to it, as in a namespace without one that is up, this is what says so. */
async function refusingPort(host: string): Promise<Result<RefusingPort, string>> {
  try {
    return ok(await holdRefusingPort(host));
  } catch (error) {
    if (error instanceof Error && isSystemError(error)) return err(causeOf(error));
    throw error;
  }
}

/** Why it cannot listen, where it cannot. */
async function listen(server: Server, host: string, port: number): Promise<string | undefined> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    if (error instanceof Error && isSystemError(error)) return causeOf(error);
    throw error;
  }
}

function split(url: string): { lane: string; path: string } {
  const [, lane = '', path = ''] = /^\/([^/?]*)(.*)$/.exec(url) ?? [];
  return { lane, path };
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? '';
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch (error) {
    if (error instanceof SyntaxError) return raw;
    throw error;
  }
}
