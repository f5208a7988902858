import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aStage } from '../rig/cli.ts';

const COLUMNS = 44;
const SECONDWIND = join(import.meta.dirname, '../../bin/secondwind.js');
const RESULT = '{"type":"result","subtype":"success","is_error":false,"result":"THE ANSWER"}';
const TOOL =
  '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"make 全部 everything there is to be made"}}]}}';

/** What stands on a screen of so many columns at the end, and how many lines that were to move have wrapped. */
function shown(text: string): { readonly rows: readonly string[]; readonly wrapped: number } {
  const rows = [''];
  let [row, column, wrapped] = [0, 0, 0];
  for (const piece of text.match(/\u001b\[[?\d;]*[A-Za-z]|[^\u001b]/gu) ?? []) {
    if (piece === '\r') column = 0;
    else if (piece === '\n') [row, column] = [row + 1, 0];
    else if (/\u001b\[\d+A/.test(piece)) row -= Number(piece.slice(2, -1));
    else if (piece === '\u001b[J') rows.splice(row, Infinity, '');
    else if (!piece.startsWith('\u001b')) {
      const width = (piece.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
      if (column + width > COLUMNS) [row, column, wrapped] = [row + 1, 0, wrapped + 1];
      rows[row] = `${rows[row] ?? ''}${piece}`;
      column += width;
    }
    rows[row] ??= '';
  }
  return { rows, wrapped };
}

/** `script` (util-linux) gives it a terminal. */
it.runIf(process.platform === 'linux')(
  'shows many tasks on a narrow terminal, and leaves it as it was',
  () => {
    const stage = aStage();
    stage.fake('claude', `echo '${TOOL}'; sleep 1.5; echo '${RESULT}'`);
    const long = '直す time and again what is far too long for one line of a narrow terminal';
    writeFileSync(join(stage.project, 'list'), [1, 2, 3, 4].map((n) => `${String(n)} ${long}`).join('\n'));
    const command = `/usr/bin/stty cols ${String(COLUMNS)}; exec node "${SECONDWIND}" run --tasks list -j 3`;
    const { status, stdout } = spawnSync('/usr/bin/script', ['-qefc', command, '/dev/null'], {
      ...{ cwd: stage.project, encoding: 'utf8' },
      env: {
        PATH: stage.bin,
        HOME: stage.home,
        SECONDWIND_HOME: stage.stateHome,
        TERM: 'xterm',
        SHELL: '/bin/sh',
      },
    });
    expect(status, stdout).toBe(0);
    // It was drawn over, and by nothing that would have to be taken back: no cursor hidden, no screen changed.
    expect(stdout).toMatch(/\u001b\[\d+A\u001b\[J/);
    expect(stdout).not.toMatch(/\u001b\[\?/);
    expect(stdout).toContain('3 at work');
    const { rows } = shown(stdout);
    const text = rows.join('\n');
    expect(text).not.toContain('at work');
    expect(text.match(/THE ANSWER/g)).toHaveLength(4);
    expect(text.match(/done #/g)).toHaveLength(4);
    expect(rows.filter((row) => row.trim() !== '').at(-1)).toBe('All 4 tasks are done.');
    // What moves is cut; only what stays may take several rows.
    const moving = stdout
      .split('\n')
      .map((line) => line.replace(/^.*\u001b\[J/, ''))
      .filter((line) => /^ {2}#\d /.test(line.replace(/\u001b\[[\d;]*m/g, '')));
    expect(moving.length).toBeGreaterThan(0);
    for (const line of moving) expect(shown(line).wrapped).toBe(0);
  },
);
