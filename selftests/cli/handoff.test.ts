import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../rig/a-repository.ts';
import type { Finished, Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

const ID = '3488648d-0545-4e7c-bbe6-36fcbe89e28f';
const say = (event: object): string => `echo '${JSON.stringify(event)}'`;

const CLAUDE_INIT = say({ type: 'system', subtype: 'init', session_id: ID });
const CLAUDE_EDITS = say({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Edit', input: { file_path: 'clock.ts' } }] },
});
const CLAUDE_REFUSED = say({
  ...{ type: 'result', subtype: 'success', is_error: true, api_error_status: 429 },
  result: 'You have hit your session limit',
});
const CLAUDE_DONE = say({ type: 'result', subtype: 'success', is_error: false, result: 'All done.' });
const CODEX_DONE = [
  say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'All done.' } }),
  say({ type: 'turn.completed', usage: {} }),
].join('\n');
const notes = 'for word in "$@"; do echo "$word"; done >> "$HOME/argv"';

const argv = (stage: Stage): string => readFileSync(join(stage.home, 'argv'), 'utf8');
const ways = ({ events }: Finished): unknown[] =>
  events.filter(({ type }) => type === 'handoff').map((event) => event['how']);

describe('the commit point', () => {
  /** A Claude that, once the work tree was looked at, does `deed` and is refused without a word; and a Codex. */
  function aStageWith(deed: string, isRepository: boolean): Stage {
    const stage = aStage();
    const program = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    stage.fake(
      'git',
      `${program} "$@"; code=$?
      case "$code $*" in *status*|[1-9]*) : > "$HOME/looked";; esac
      exit $code`,
    );
    if (isRepository) git(stage.project, 'init', '-q');
    // Where there is no repository nobody looks.
    else writeFileSync(join(stage.home, 'looked'), '');
    stage.fake(
      'claude',
      `until test -f "$HOME/looked"; do sleep 0.05; done\n${deed}\n${CLAUDE_INIT}\n${CLAUDE_REFUSED}\nexit 1`,
    );
    stage.fake('codex', `${notes}\n${CODEX_DONE}`);
    return stage;
  }

  it.each([
    ['work was begun where a file is new', 'echo half > made.txt', true, 'brief'],
    ['nothing was begun where no file is', 'true', true, 'prompt'],
    ['nobody can tell outside of a git work tree', 'echo half > made.txt', false, 'prompt'],
  ])('is a changed work tree too: %s', async (_what, deed, isRepository, how) => {
    const stage = aStageWith(deed, isRepository);
    const run = await stage.run(['run', '--json', '-w', 'claude,codex', 'mend the clock']);
    expect(run.code).toBe(0);
    expect(ways(run)).toEqual([how]);
    expect(argv(stage).includes('- made.txt')).toBe(how === 'brief');
  });
});

describe('a session that goes on on another seat', () => {
  /** A Claude on two seats, which knows a conversation by its file and is refused on the first. */
  function twoSeats(more: object = {}): Stage {
    const stage = aStage();
    const file = `"$CLAUDE_CONFIG_DIR"/projects/-project/${ID}.jsonl`;
    stage.fake(
      'claude',
      `${notes}
      case "$*" in
        *--resume*) test -f ${file} || { echo 'No conversation found with session ID: ${ID}' >&2; exit 1; }
          ${CLAUDE_INIT}; ${CLAUDE_DONE}; exit;;
      esac
      case "$CLAUDE_CONFIG_DIR" in
        *two) ${CLAUDE_INIT}; ${CLAUDE_DONE}; exit;;
      esac
      mkdir -p "$(dirname ${file})"; echo '{"n":1}' > ${file}
      ${CLAUDE_INIT}\n${CLAUDE_EDITS}\n${CLAUDE_REFUSED}\nexit 1`,
    );
    const worker = (id: string) => ({ id, adapter: 'claude', env: { CLAUDE_CONFIG_DIR: `~/${id}` } });
    stage.configure({ workers: [{ ...worker('one'), ...more }, worker('two')] });
    return stage;
  }
  const exhausted = async (stage: Stage): Promise<string> => {
    const run = await stage.run(['run', '--json', '-w', 'one', 'mend the clock']);
    expect(run.code).toBe(75);
    return run.events[0]?.session ?? '';
  };

  it('has its conversation moved there by a later process, whoever is in its fleet', async () => {
    const stage = twoSeats();
    const run = await stage.run(['resume', await exhausted(stage), '--json', '-w', 'two']);
    expect(run.code).toBe(0);
    expect(ways(run)).toEqual(['transcript']);
    const moved = join(stage.home, 'two', 'projects', '-project', `${ID}.jsonl`);
    expect(readFileSync(moved, 'utf8')).toBe('{"n":1}\n');
    expect(statSync(moved).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['begins afresh with --no-handoff', {}, ['--no-handoff'], 'afresh'],
    ['is briefed where its seat does not share', { shareTranscripts: false }, [], 'brief'],
  ])('%s', async (_what, more, args, how) => {
    const stage = twoSeats(more);
    const run = await stage.run(['resume', await exhausted(stage), '--json', '-w', 'two', ...args]);
    expect(run.code).toBe(0);
    expect(ways(run)).toEqual([how]);
    expect(existsSync(join(stage.home, 'two'))).toBe(false);
    expect(argv(stage)).not.toContain('--resume');
    expect(argv(stage).includes('Edit: clock.ts')).toBe(how === 'brief');
  });

  it('is not told of a reset that came along from the first seat', async () => {
    const stage = aStage();
    const reset = Math.floor(Date.now() / 1_000) + 7_200;
    const reading = {
      type: 'event_msg',
      payload: {
        type: 'token_count',
        rate_limits: { primary: { used_percent: 100, window_minutes: 300, resets_at: reset } },
      },
    };
    const failed = (message: string): string => say({ type: 'turn.failed', error: { message } });
    stage.fake(
      'codex',
      `${say({ type: 'thread.started', thread_id: ID })}
      case "$CODEX_HOME" in
        *two) ${failed('Quota exceeded. Check your plan and billing details.')}; exit 1;;
      esac
      mkdir -p "$CODEX_HOME/sessions/2026/11/29"
      ${say({ timestamp: new Date().toISOString(), ...reading })} > "$CODEX_HOME/sessions/2026/11/29/rollout-x-${ID}.jsonl"
      ${say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'Begun.' } })}
      ${failed('You’ve hit your usage limit. Try again later.')}
      exit 1`,
    );
    const worker = (id: string) => ({ id, adapter: 'codex', env: { CODEX_HOME: `~/${id}` } });
    stage.configure({ workers: [worker('one'), worker('two')] });
    const run = await stage.run(['run', '--json', 'mend the clock']);
    expect(run.code).toBe(75);
    expect(ways(run)).toEqual(['transcript']);
    expect(stage.cooldowns().toSorted((a, b) => (a.worker < b.worker ? -1 : 1))).toMatchObject([
      { worker: 'one', kind: 'rate-limit', source: 'file' },
      { worker: 'two', kind: 'out-of-credits', source: 'default' },
    ]);
  });
});

describe('shareTranscripts', () => {
  it('is true or false, and nothing else', async () => {
    const stage = aStage();
    stage.configure({ workers: [{ id: 'one', adapter: 'claude', shareTranscripts: 'no' }] });
    const { code, stderr } = await stage.run(['run', 'mend the clock']);
    expect(code).toBe(78);
    expect(stderr).toContain('shareTranscripts');
  });
});
