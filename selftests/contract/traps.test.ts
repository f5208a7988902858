import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADAPTER_NAMES } from '../../src/workers/registry.ts';
import { FIXTURES, fixtureInput } from '../rig/fixtures.ts';
import { HOSTILE, SENTENCES } from '../rig/hostile.ts';
import { AGENT_LINES, inserted, isEvent, onStderr, verdictOf } from '../rig/streams.ts';

/** Promise 13 over full streams: nothing that an agent says, writes, reads or runs can start a cooldown. */

const HEALTHY = { outcome: 'done', signal: null, cooldown: null, actedAt: null, killed: false };

describe.each(ADAPTER_NAMES)('%s', (adapter) => {
  const places = Object.keys(AGENT_LINES[adapter]?.('') ?? {});

  it('has places in which an agent can write', () => {
    expect(places).not.toEqual([]);
  });

  it.each(places)('takes nothing for evidence that stands in %s', async (place) => {
    const ok = await fixtureInput(adapter, 'ok');
    const first = ok.lines.findIndex(isEvent);
    for (const text of HOSTILE) {
      const words = AGENT_LINES[adapter]?.(text)[place] ?? '';
      expect(words).toContain(JSON.stringify(text).slice(1, -1));
      for (let index = first + 1; index <= ok.lines.length; index += 1)
        expect(verdictOf(inserted(ok, index, words)), text).toMatchObject(HEALTHY);
    }
  });

  it.each(places)('finds the real limit behind all that stands in %s', async (place) => {
    const name = {
      claude: 'seat-exhausted-exits',
      codex: 'usage-limit-plus-today',
      gemini: 'plan-quota-exhausted',
    };
    const exhausted = await fixtureInput(adapter, name[adapter as keyof typeof name]);
    const before = verdictOf(exhausted);
    const words = HOSTILE.map((text) => AGENT_LINES[adapter]?.(text)[place] ?? '');
    const after = verdictOf(inserted(exhausted, exhausted.lines.findIndex(isEvent) + 1, ...words));
    expect(before.cooldown).not.toBeNull();
    expect(after).toEqual({
      ...before,
      actedAt: { line: (before.actedAt?.line ?? 0) + words.length, t: before.actedAt?.t },
    });
  });

  it('takes nothing for evidence that others print on stdout once its own events have begun', async () => {
    const ok = await fixtureInput(adapter, 'ok');
    const first = ok.lines.findIndex(isEvent) + 1;
    for (const text of SENTENCES)
      expect(verdictOf(inserted(ok, first, ...text.split('\n'))), text).toMatchObject(HEALTHY);
  });

  it("takes nothing for evidence that an MCP server prints on stderr in others' words", async () => {
    const ok = await fixtureInput(adapter, 'ok');
    const marked = HOSTILE.map((text) => text.replace(/^/gm, '[mcp:github] '));
    // Gemini CLI tells its own retries on stderr: a line that begins like one of those is its own.
    const plain = HOSTILE.filter((text) => adapter !== 'gemini' || !/^(Attempt|Error when)/m.test(text));
    for (const text of [...marked, ...plain])
      for (const index of [0, 3, ok.lines.length])
        expect(verdictOf(onStderr(ok, index, ...text.split('\n'))), text).toMatchObject(HEALTHY);
  });

  it('judges no failing run as exhausted for what its agent said last', async () => {
    const failing = { claude: 'context-too-long', codex: 'context-too-long', gemini: 'context-too-long' };
    const input = await fixtureInput(adapter, failing[adapter as keyof typeof failing]);
    const before = verdictOf(input);
    expect(before).toMatchObject({ outcome: 'failed', signal: null });
    const words = HOSTILE.flatMap((text) => Object.values(AGENT_LINES[adapter]?.(text) ?? {}));
    const index = input.lines.findIndex(isEvent) + 1;
    expect(verdictOf(inserted(input, index, ...words))).toEqual(before);
  });

  it.each([0, 1, 137])(
    'rests nobody when it dies with exit %i after its agent spoke of limits',
    async (code) => {
      const ok = await fixtureInput(adapter, 'ok');
      const first = ok.lines.findIndex(isEvent) + 1;
      const words = HOSTILE.flatMap((text) => Object.values(AGENT_LINES[adapter]?.(text) ?? {}));
      const died = { ...ok, lines: ok.lines.slice(0, first), exit: { code, signal: undefined } };
      expect(verdictOf(inserted(died, first, ...words))).toMatchObject({
        ...{ outcome: 'failed', signal: null, cooldown: null },
      });
    },
  );
});

it('holds places for every adapter', () => {
  expect(Object.keys(AGENT_LINES).sort()).toEqual([...ADAPTER_NAMES].sort());
  expect(readdirSync(join(FIXTURES)).sort()).toEqual(['children', ...ADAPTER_NAMES].sort());
});
