import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openScreen } from '../../src/system/screen.ts';

/** A terminal that is only looked at. */
function aTerminal({ isTTY = true, columns = 80, rows = 24 } = {}) {
  const output = Object.assign(new EventEmitter(), {
    ...{ isTTY, columns, rows, written: '' },
    write(text: string) {
      output.written += text;
    },
  });
  const input = Object.assign(new EventEmitter(), {
    ...{ isTTY, raw: false, reads: false },
    setRawMode(raw: boolean) {
      input.raw = raw;
    },
    resume() {
      input.reads = true;
    },
    pause() {
      input.reads = false;
    },
  });
  return { output, input, open: (term = 'xterm') => openScreen(output, input, term) };
}

const key = (text: string) => Buffer.from(text);

describe('a terminal that is drawn over', () => {
  it.each([
    ['no terminal', { isTTY: false }, 'xterm'],
    ['one that only appends', {}, 'dumb'],
  ])('is not taken over when it is %s', (_what, options, term) => {
    const { open, output } = aTerminal(options);
    expect(open(term)).toBeUndefined();
    expect(output.written).toBe('');
  });

  it('is as it was when it is given back: the screen, the cursor, the keys, the listeners', () => {
    const { open, output, input } = aTerminal();
    const screen = open();
    screen?.draw(['a']);
    expect(input).toMatchObject({ raw: true, reads: true });
    screen?.close();
    screen?.close();
    expect(input).toMatchObject({ raw: false, reads: false });
    expect([input.listenerCount('data'), output.listenerCount('resize')]).toEqual([0, 0]);
    for (const [on, off] of [
      ['\u001b[?1049h', '\u001b[?1049l'],
      ['\u001b[?25l', '\u001b[?25h'],
      ['\u001b[?2026h', '\u001b[?2026l'],
    ] as const) {
      expect(output.written.split(on)).toHaveLength(2);
      expect(output.written.split(off)).toHaveLength(2);
      expect(output.written.indexOf(on)).toBeLessThan(output.written.indexOf(off));
    }
  });

  it('is never given a line that would wrap, and push the first ones off it', () => {
    const { open, output } = aTerminal({ columns: 12 });
    open()?.draw(['\u001b[33mfar too long for it\u001b[39m', '全全全全全全全全', 'it fits']);
    const [, body = ''] = output.written.split('\u001b[H');
    const lines = body.replaceAll(/\u001b\[[?\d;]*[A-Za-z]/g, '').split('\r\n');
    expect(lines).toEqual(['far too lo…', '全全全全全…', 'it fits']);
  });

  it('is drawn in one write that clears nothing before it writes over it, so that nothing flickers', () => {
    const { open, output } = aTerminal();
    const screen = open();
    output.written = '';
    screen?.draw(['one', 'two']);
    expect(output.written).toBe('\u001b[?2026h\u001b[Hone\u001b[K\r\ntwo\u001b[K\u001b[J\u001b[?2026l');
    screen?.close();
  });

  it('is left alone when nothing has changed, until it has another size', () => {
    const { open, output } = aTerminal();
    const screen = open();
    screen?.draw(['same']);
    output.written = '';
    screen?.draw(['same']);
    expect(output.written).toBe('');
    output.emit('resize');
    screen?.draw(['same']);
    expect(output.written).toContain('same');
    screen?.close();
  });

  it('is not drawn on any more once it is given back', () => {
    const { open, output } = aTerminal();
    const screen = open();
    screen?.close();
    const before = output.written;
    screen?.draw(['late']);
    expect(output.written).toBe(before);
  });

  it.each([
    ['q', 'quit'],
    ['Q', 'quit'],
    ['\u001b', 'quit'],
    ['\u0004', 'quit'],
    ['\u0003', 'interrupt'],
  ] as const)('is left at %j', async (pressed, why) => {
    const { open, input } = aTerminal();
    const screen = open();
    input.emit('data', key('\u001b[A'));
    input.emit('data', key('x'));
    input.emit('data', key(pressed));
    expect(await screen?.left).toBe(why);
    screen?.close();
  });

  it('tells its size as it is, and when that changes', () => {
    const { open, output } = aTerminal({ columns: 40, rows: 10 });
    const screen = open();
    let told = 0;
    screen?.onResize(() => (told += 1));
    expect(screen?.size()).toEqual({ columns: 40, rows: 10 });
    output.columns = 100;
    output.emit('resize');
    expect(screen?.size()).toEqual({ columns: 100, rows: 10 });
    expect(told).toBe(1);
    screen?.close();
  });

  it('is drawn without keys where stdin is none', () => {
    const { output, input } = aTerminal();
    input.isTTY = false;
    const screen = openScreen(output, input, 'xterm');
    expect(input).toMatchObject({ raw: false, reads: false });
    screen?.close();
    expect(output.written).toContain('\u001b[?1049l');
  });
});
