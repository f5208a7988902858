import { describe, expect, it } from 'vitest';
import { Lines } from '../../src/system/lock-line.ts';

const files = Array.from({ length: 1_000 }, (_, n) => `/home/sessions/${String(n)}.json`);

describe('what a process remembers of its locks', () => {
  it('does not grow with the number of files that it has locked', () => {
    const lines = new Lines();
    const sizes = files.map((file) => {
      lines.join(file).leave();
      return lines.size;
    });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
  });

  it('is never forgotten of a lock that somebody is at, however many there are', () => {
    const lines = new Lines();
    const places = files.map((file) => lines.join(file));
    expect(lines.size).toBe(files.length);
    for (const [at, file] of files.entries()) {
      const behind = lines.join(file);
      // Else two calls of one process would be at one lock at once.
      expect(behind.turn.comes).toBeDefined();
      expect(behind.line).toBe(places[at]?.line);
      behind.leave();
      places[at]?.leave();
    }
    expect(lines.size).toBeLessThanOrEqual(64);
  });

  it('is kept of one that is taken again and again, whatever others are taken in between', () => {
    const lines = new Lines();
    const often = lines.join('/home/cooldowns.json');
    often.leave();
    for (const file of files) {
      lines.join(file).leave();
      const again = lines.join('/home/cooldowns.json');
      expect(again.line).toBe(often.line);
      again.leave();
    }
  });
});
