import { describe, expect, it } from 'vitest';
import { replay } from '../../../src/fleet/replay.ts';
import { fixturesIn, readFixture } from '../../../src/selftest/fixture.ts';
import { Unknowns } from '../../../src/workers/unknowns.ts';
import { eachEvent, inserted, onStderr } from '../../rig/streams.ts';
import { FIXTURES, fixtureInput } from '../../rig/fixtures.ts';

const found = fixturesIn(FIXTURES);

describe('what a reader does not know', () => {
  it.each(found.ok ? found.value : [])('is nothing of the captured run $cli/$name', async (folder) => {
    const fixture = await readFixture(folder);
    expect(fixture.ok && replay(fixture.value.input).unknown).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['claude', '{"type":"quota_event","left":3}', 'quota_event'],
    ['claude', '{"type":"system","subtype":"api_rest","until":3}', 'system/api_rest'],
    ['codex', '{"type":"turn.paused"}', 'turn.paused'],
    ['codex', '{"type":"item.completed","item":{"id":"item_9","type":"quota_notice"}}', 'item/quota_notice'],
    ['gemini', '{"type":"quota","left":3}', 'quota'],
  ])('may be an event of %s: %s', async (cli, line, name) => {
    const input = inserted(await fixtureInput(cli, 'ok'), 1, line, line);
    const verdict = replay(input);
    expect(verdict.outcome).toBe('done');
    expect(verdict.unknown).toEqual([{ what: 'event', name, count: 2, evidence: line }]);
  });

  it.each<[string, string, string, 'code' | 'field']>([
    [
      'claude',
      '{"type":"system","subtype":"api_retry","error":"tired","error_status":500,"retry_delay_ms":5}',
      'system/api_retry error "tired"',
      'code',
    ],
    [
      'claude',
      '{"type":"system","subtype":"api_retry","error":"rate_limit","error_status":"429","retry_delay_ms":5}',
      'system/api_retry error_status is text',
      'field',
    ],
    [
      'claude',
      '{"type":"system","subtype":"api_retry","error":"rate_limit","error_status":500,"retry_delay_ms":"PT5S"}',
      'system/api_retry retry_delay_ms is text',
      'field',
    ],
    [
      'claude',
      '{"type":"rate_limit_event","rate_limit_info":{"status":"queued"}}',
      'rate_limit_event rate_limit_info.status "queued"',
      'code',
    ],
    [
      'claude',
      '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":"2026-11-29"}}',
      'rate_limit_event rate_limit_info.resetsAt is text',
      'field',
    ],
    [
      'claude',
      '{"type":"rate_limit_event","rate_limit_info":[]}',
      'rate_limit_event rate_limit_info is list',
      'field',
    ],
    [
      'codex',
      '{"type":"item.completed","item":{"id":"i","type":"command_execution","command":["ls"]}}',
      'item/command_execution item.command is list',
      'field',
    ],
    [
      'codex',
      '{"type":"error","message":{"text":"Reconnecting... 1/5"}}',
      'error message is record',
      'field',
    ],
    [
      'gemini',
      '{"type":"tool_result","tool_id":"t","status":"cancelled"}',
      'tool_result status "cancelled"',
      'code',
    ],
  ])('may be a code or a field of %s: %s', async (cli, line, name, what) => {
    const { outcome, unknown } = replay(inserted(await fixtureInput(cli, 'ok'), 1, line));
    expect(outcome).toBe('done');
    expect(unknown).toMatchObject([{ what, name, count: 1 }]);
  });

  it('may be the words of a retry or a refusal, where only the vendor writes', async () => {
    const odd = 'The provider is having a little lie-down';
    const codex = inserted(
      await fixtureInput('codex', 'ok'),
      1,
      JSON.stringify({ type: 'error', message: `Reconnecting... 1/5 (${odd})` }),
    );
    expect(replay(codex)).toMatchObject({
      outcome: 'done',
      unknown: [{ what: 'phrase', name: `Reconnecting... 1/5 (${odd})`, count: 1 }],
    });
    const gemini = await fixtureInput('gemini', 'ok');
    expect(
      replay(onStderr(gemini, 1, `Attempt 1 failed: ${odd} Retrying after 5000ms...`)).unknown,
    ).toMatchObject([{ what: 'phrase', name: odd }]);
    const lost = [
      'Attempt 1 failed, which is sad. It naps now.',
      'Attempt 1 failed: it naps now.',
      'Attempt 2 failed: it naps on.',
    ];
    expect(replay(onStderr(gemini, 1, ...lost)).unknown).toMatchObject([
      { what: 'phrase', name: 'Attempt 1 failed: it naps now.', count: 1 },
    ]);
    const claude = eachEvent(await fixtureInput('claude', 'context-too-long'), (event) =>
      event['type'] === 'result' ? { ...event, result: odd, api_error_status: null } : event,
    );
    expect(replay(claude).unknown).toMatchObject([{ what: 'phrase', name: odd }]);
  });

  it('is never what an agent says or a tool prints', async () => {
    for (const cli of ['claude', 'codex', 'gemini']) {
      const input = await fixtureInput(cli, 'trap-tool-prints-429');
      expect(replay(input).unknown).toEqual([]);
    }
  });
});

describe('the count', () => {
  it('goes on, stays bounded, and keeps no secret', () => {
    const unknowns = new Unknowns();
    for (let index = 0; index < 1_000; index += 1) {
      unknowns.add('event', `kind-${String(index % 50)}`, 'key sk-abcdefghijklmnop');
    }
    const list = unknowns.list();
    expect(list).toHaveLength(20);
    expect(list[0]).toEqual({ what: 'event', name: 'kind-0', count: 20, evidence: 'key [key]' });
    unknowns.add('phrase', `\u001b[2Jsk-abcdefghijklmnop ${'x'.repeat(1_000)}`, '');
    expect(unknowns.list()).toHaveLength(20);
  });

  it('cuts long names and makes them harmless', () => {
    const unknowns = new Unknowns();
    unknowns.add('phrase', `\u001b[2Jsk-abcdefghijklmnop ${'x'.repeat(1_000)}`, 'line');
    const [one] = unknowns.list();
    expect(one?.name).toMatch(/^\[key\] x+$/);
    expect(one?.name.length).toBeLessThanOrEqual(120);
  });
});
