import { describe, expect, it } from 'vitest';
import { style } from '../../../src/cli/style.ts';

const COLOURS = ['good', 'bad', 'warn', 'name'] as const;

/** The relative luminance of a colour of the cube that 256 colours have (WCAG 2.2, "relative luminance"). */
function luminance(number: number): number {
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = number - 16;
  const parts = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(
    (at) => (steps[at] ?? 0) / 255,
  );
  const [red = 0, green = 0, blue = 0] = parts.map((one) =>
    one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe.each([2, 3] as const)('the colours of level %d', (level) => {
  it.each(COLOURS)('can be read on black and on white: %s', (name) => {
    const number = Number(/^\u001b\[38;5;(\d+)mx/.exec(style(level)[name]('x'))?.[1]);
    expect(number).toBeGreaterThanOrEqual(16);
    const light = luminance(number) + 0.05;
    // Of what is as far from both it is 4.6; large text needs 3.
    expect(Math.min(1.05 / light, light / 0.05)).toBeGreaterThanOrEqual(3.9);
  });

  it('are told apart', () => {
    expect(new Set(COLOURS.map((name) => style(level)[name]('x'))).size).toBe(COLOURS.length);
  });
});

it('has no colours where there are none', () => {
  expect(Object.values(style(0)).map((paint) => paint('x'))).toEqual(Array.from({ length: 6 }, () => 'x'));
});
