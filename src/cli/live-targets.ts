import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { Target } from '../selftest/live/stage.ts';
import type { LiveCli } from '../selftest/live/wiring.ts';
import { LIVE_CLIS } from '../selftest/live/wiring.ts';
import { findProgram } from '../system/which.ts';
import { expandHome } from '../workers/child-environment.ts';
import { loadAdapter } from '../workers/registry.ts';
import type { Io } from './io.ts';
import type { Refusal } from '../library/host.ts';
import { readSettings } from '../library/settings.ts';

/** The CLIs that are installed: on PATH, and as workers of the configuration name them. */
export async function liveTargets(
  io: Io,
  names: readonly string[],
): Promise<Result<readonly Target[], Refusal>> {
  const configured = await configuredTargets(io);
  if (!configured.ok) return configured;
  const onPath = await Promise.all(LIVE_CLIS.map(async (cli) => onPathAs(cli, io)));
  const all = [...onPath.flatMap((target) => target ?? []), ...configured.value];
  const known: readonly string[] = [...LIVE_CLIS, ...configured.value.map(({ id }) => id)];
  const strange = names.find((name) => !known.includes(name));
  if (strange !== undefined) {
    const message = `expected after --live one of ${known.join(', ')}, but found '${strange}'.`;
    return err({ reason: 'usage', message });
  }
  const asked = names.length === 0 ? all : all.filter(({ id }) => names.includes(id));
  const absent = names.find((name) => !asked.some(({ id }) => id === name));
  if (asked.length > 0 && absent === undefined) return ok(asked);
  const wanted = absent === undefined ? LIVE_CLIS : LIVE_CLIS.filter((cli) => cli === absent);
  const rows = await Promise.all(
    wanted.map(async (cli) => {
      const { title, install } = await loadAdapter(cli);
      return `${title} is installed with: ${install}`;
    }),
  );
  const missing = absent === undefined ? 'no CLI is installed' : `${absent} is not installed`;
  const message = `${missing}, so there is nothing to test. ${rows.join('; ')}`;
  return err({ reason: 'unavailable', message });
}

async function onPathAs(cli: LiveCli, io: Io): Promise<Target | undefined> {
  const { program } = await loadAdapter(cli);
  const found = findProgram(program, io.env['PATH'] ?? '', io.directory);
  return found.type === 'found' ? { id: cli, cli, command: [found.path] } : undefined;
}

/** Workers with a command of their own, where it is there. */
async function configuredTargets(io: Io): Promise<Result<readonly Target[], Refusal>> {
  const settings = await readSettings(io.stateHome, io.directory);
  if (!settings.ok) return settings;
  return ok(
    (settings.value.user.workers ?? []).flatMap(({ id, adapter, command }): readonly Target[] => {
      const cli = LIVE_CLIS.find((one) => one === adapter);
      if (cli === undefined || command === undefined) return [];
      const [named, ...leading] = command;
      const program = expandHome(named, io.home);
      const found = findProgram(program, io.env['PATH'] ?? '', io.directory);
      return found.type === 'found' ? [{ id, cli, command: [found.path, ...leading] }] : [];
    }),
  );
}
