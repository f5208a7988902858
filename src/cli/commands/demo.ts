import { packageRoot } from '../../system/package-root.ts';
import { nodeProgram } from '../../system/process.ts';
import { inScratchFolder, writeScratchFile } from '../../system/scratch.ts';
import type { Io } from '../io.ts';
import { style } from '../style.ts';
import { listCooldowns } from './cooldown-list.ts';
import { run } from './run.ts';

/** Who plays what: captures of the real CLIs, in `fixtures/`. */
const CAST = [
  { id: 'claude', plays: 'claude/seat-exhausted-sleeps' },
  { id: 'codex', plays: 'codex/usage-limit-plus-today' },
  { id: 'gemini', plays: 'gemini/minute-quota-recovers' },
] as const;

const LONGEST_PAUSE_MS = 600;

const OPENING = `Three recorded CLIs play a night that would have gone wrong:
  claude   falls asleep on a closed five-hour window, and would say nothing for two hours
  codex    has used up its plan
  gemini   meets a short throttle, which is left alone, and finishes
The children are real processes, the kills and the cooldowns are real. The state is in a temporary folder, and pauses are
cut short: where a recorded CLI waits 5.5s it takes ${String(LONGEST_PAUSE_MS / 1_000)}s here.
`;

const CLOSING = `What next:
  secondwind run 'your task'      with those of claude, codex and gemini that you have
  secondwind run --help           whom to ask, how long to wait, what the agent may do
  secondwind cooldown             who rests, why and until when
`;

/** `secondwind demo`: the whole story, with no account, no CLI and no network. */
export async function demo(io: Io): Promise<number> {
  const { terminal } = io;
  const { faint, strong } = style(terminal.colors.err);
  const command = (text: string): void => {
    terminal.err(`\n${faint('$')} ${strong(text)}\n`);
  };
  return inScratchFolder(async (stateHome) => {
    writeScratchFile(`${stateHome}/config.json`, JSON.stringify({ workers: CAST.map(recorded) }));
    // Whatever the user has set for real runs stays out of this one.
    const env = Object.fromEntries(
      Object.entries(io.env).filter(([name]) => !name.startsWith('SECONDWIND_')),
    );
    const stage = { ...io, env, stateHome, directory: stateHome };
    terminal.err(OPENING);
    command("secondwind run 'say hi'");
    const code = await run(stage, ['say hi'], {}, []);
    command('secondwind cooldown list');
    await listCooldowns({ ...stage, terminal: { ...terminal, out: terminal.err } }, {});
    terminal.err(`\n${CLOSING}`);
    return code;
  });
}

function recorded({ id, plays }: (typeof CAST)[number]) {
  const root = packageRoot();
  return {
    id,
    adapter: id,
    command: [nodeProgram(), `${root}/fixtures/children/play.js`],
    env: { PLAY_CAPTURE: `${root}/fixtures/${plays}`, PLAY_LONGEST_GAP_MS: String(LONGEST_PAUSE_MS) },
  };
}
