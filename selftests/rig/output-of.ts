import type { Line } from '../../src/core/line.ts';
import type { ChunkOfLines } from '../../src/system/channels.ts';
import type { Child } from '../../src/system/child.ts';

/** What a made-up child prints: each line for itself, as if it had been read alone. */
export function outputOf(lines: AsyncIterable<Line>): Pick<Child, 'lines' | 'chunks'> {
  async function* chunks(): AsyncGenerator<ChunkOfLines> {
    for await (const line of lines) yield { channel: line.channel, lines: () => [line] };
  }
  return { lines, chunks: chunks() };
}
