import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

/** Node itself, the program, and one line of 16 MiB a few times over: as bytes, as text and on its way. */
const BOUND_MIB = 350;

/** The most memory that secondwind has held at any time, in MiB, as the kernel counted (Linux, proc(5)). */
async function peakWhile(stage: Stage): Promise<{ readonly peak: number; readonly code: number | null }> {
  const { pid, finished } = stage.start(['run', 'x']);
  let peak = 0;
  const look = setInterval(() => {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readStatus(pid))?.[1];
    peak = Math.max(peak, Number(found ?? 0) / 1024);
  }, 20);
  await finished;
  clearInterval(look);
  return { peak, code: (await finished).code };
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  } catch {
    // It has just ended.
    return '';
  }
}

const ANSWER = '{"type":"result","subtype":"success","is_error":false,"result":"ok"}';

it.runIf(process.platform === 'linux').each([
  ['one endless line of zeros', 'head -c 400000000 /dev/zero; echo'],
  ['one endless line on stderr', 'head -c 400000000 /dev/zero >&2; echo >&2'],
  ['lines without end', `yes "$(head -c 20000 /dev/zero | tr '\\0' x)" | head -c 400000000; echo`],
  [
    'lines of 15 MiB',
    'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do head -c 15000000 /dev/zero; echo; done',
  ],
  [
    // Each is told, written into the ledger and part of the session that is saved.
    'uses of a tool without end',
    `yes '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"'"$(head -c 2000 /dev/zero | tr '\\0' x)"'"}}]}}' | head -c 40000000; echo`,
  ],
  ['braces that never close', 'for i in 1 2 3 4; do head -c 15000000 /dev/zero | tr "\\0" "{"; echo; done'],
])('stays within its memory whatever a child prints: %s', { timeout: 120_000 }, async (_, script) => {
  const stage = aStage();
  stage.fake('claude', `${script}\necho '${ANSWER}'`);
  const { peak, code } = await peakWhile(stage);
  expect(code).toBe(0);
  expect(peak).toBeGreaterThan(30);
  expect(peak).toBeLessThan(BOUND_MIB);
});

it.runIf(process.platform === 'linux')(
  'stays within its memory when an endless line comes in a trickle',
  { timeout: 120_000 },
  async () => {
    const stage = aStage();
    const trickle =
      "const b = Buffer.from('x'); for (let i = 0; i < 3e5; i += 1) require('fs').writeSync(1, b);";
    stage.fake('claude', `"${process.execPath}" -e "${trickle}"; echo; echo '${ANSWER}'`);
    const { peak, code } = await peakWhile(stage);
    expect(code).toBe(0);
    expect(peak).toBeLessThan(BOUND_MIB);
  },
);
