import type { Result } from '../../core/result.ts';
import { err, ok } from '../../core/result.ts';
import { durationMs, formatDuration, SECOND } from '../../core/time.ts';
import type { Recording } from '../record.ts';
import { recordRun } from '../record.ts';
import type { LiveWorld } from './run-case.ts';
import { setStage } from './stage.ts';
import type { Target } from './stage.ts';

/** Gemini CLI 0.61 takes 1.8 s on an idle machine, and ten times that on a busy one. */
export const VERSION_LIMIT = durationMs(30 * SECOND);

/** What a CLI calls itself, asked in a home of its own; the error is a sentence without its full stop. */
export async function versionOf(
  target: Target,
  when: string,
  world: LiveWorld,
): Promise<Result<string, string>> {
  const { upstream, path, abort } = world;
  const limit = durationMs(Math.min(VERSION_LIMIT, world.limit));
  const { work, worker, env } = setStage({
    ...{ folder: `${world.folder}/${target.id}.${when}`, target, one: {}, path },
    ...{ url: upstream.proxy, proxy: upstream.proxy },
  });
  const [program, ...leading] = target.command;
  const recorded = await recordRun(
    {
      ...{ program, args: [...leading, '--version'], cwd: work, env: { ...env, ...worker.env } },
      ...{ stdin: undefined, limit, abort },
    },
    world,
  );
  if (!recorded.ok) return err(`it cannot be started: ${recorded.error.code}`);
  const { exit, lines } = recorded.value;
  const said = lines.map(({ text }) => text.trim()).filter((text) => text !== '');
  if (exit === undefined)
    return err(`${howItHangs(said)}: it did not say its version within ${formatDuration(limit)}`);
  const version = versionSaid(recorded.value);
  if (exit.code !== 0 || version === undefined) {
    return err(
      `it does not say its version: it exited with ${String(exit.code ?? exit.signal)}${said[0] === undefined ? '' : ` and said '${said[0]}'`}`,
    );
  }
  return ok(version);
}

/** The line of it that names a version. */
export function versionSaid({ lines }: Pick<Recording, 'lines'>): string | undefined {
  return lines.map(({ text }) => text.trim()).find((text) => /\d+\.\d+\.\d+/.test(text));
}

/** A program that waits for ever with a question as its last word waits for an answer. */
export function howItHangs(said: readonly string[]): string {
  const last = said.at(-1);
  if (last === undefined) return 'it hangs and says nothing';
  return /[?:]\s*$|[[(]y\/n[\])]|press (enter|any key)|(continue|proceed|sign in|log in)\b.*$/i.test(last)
    ? `it asks a question that nobody answers ('${last.slice(0, 100)}')`
    : `it hangs (last: '${last.slice(0, 100)}')`;
}
