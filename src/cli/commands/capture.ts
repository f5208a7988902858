import { harmless } from '../../core/harmless.ts';
import { didYouMean } from '../../core/similar.ts';
import type { DurationMs, EpochMs } from '../../core/time.ts';
import { toIso } from '../../core/time.ts';
import type { CaptureFiles } from '../../selftest/capture.ts';
import { captureFiles } from '../../selftest/capture.ts';
import { judgeFixture, hasPassed } from '../../selftest/offline.ts';
import type { Recording } from '../../selftest/record.ts';
import { recordRun } from '../../selftest/record.ts';
import { VERSION_LIMIT, versionSaid } from '../../selftest/live/version.ts';
import { childStarter } from '../../system/child.ts';
import { entriesOf, makeFolder, writeNewFile } from '../../system/folder.ts';
import { absolutePath } from '../../system/input.ts';
import { newestRecord } from '../../system/newest-record.ts';
import { whoAndWhere } from '../../system/who.ts';
import type { Adapter } from '../../workers/adapter.ts';
import { childEnvironment } from '../../workers/child-environment.ts';
import { ADAPTER_NAMES, isAdapterName, loadAdapter } from '../../workers/registry.ts';
import { capturedReport, removedReport } from '../capture-report.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { stoppable } from '../stoppable.ts';
import { style } from '../style.ts';
import { VERSION } from '../version.ts';
import { isZone } from '../zone.ts';

export interface CaptureFlags {
  readonly output?: string;
  readonly adapter?: string;
  readonly timeout?: DurationMs;
}

/** `secondwind capture -- CLI ARGS…`: a run of a CLI, written down so that it can be replayed, and sent to us. */
export async function capture(io: Io, flags: CaptureFlags, command: readonly string[]): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined) {
    const message =
      "expected a CLI and its arguments after '--', but found nothing; such as: secondwind capture -- claude -p 'say hi' --output-format stream-json --verbose";
    return refuse(io, { reason: 'usage', message });
  }
  const name = flags.adapter ?? adapterNamed(program);
  if (name === undefined || !isAdapterName(name)) {
    const found =
      flags.adapter === undefined
        ? `'${program}' is the name of none`
        : `found '${flags.adapter}'${didYouMean(flags.adapter, ADAPTER_NAMES)}`;
    const message = `--adapter: expected one of ${ADAPTER_NAMES.join(', ')}, but ${found}.`;
    return refuse(io, { reason: 'usage', message });
  }
  const adapter = await loadAdapter(name);
  const folder = absolutePath(flags.output ?? `capture-${name}-${stamp(io.clock.now())}`, io.directory);
  const there = entriesOf(folder);
  if (there.ok && there.value.length > 0) {
    return refuse(io, {
      reason: 'usage',
      message: `${folder} holds something already; name a new folder with -o.`,
    });
  }
  return stoppable((abort) => record(io, flags, { program, args, adapter, folder, abort }));
}

interface Order {
  readonly program: string;
  readonly args: readonly string[];
  readonly adapter: Adapter;
  readonly folder: string;
  readonly abort: AbortSignal;
}

async function record(io: Io, { timeout }: CaptureFlags, order: Order): Promise<number> {
  const { program, args, adapter, folder, abort } = order;
  const { terminal, clock, directory } = io;
  const effects = { startChild: childStarter(clock), clock };
  const env = childEnvironment(io.env, {}, {}, io.home);
  const child = { program, cwd: directory, env, stdin: undefined, abort };
  terminal.err(
    `secondwind: recording; what ${adapter.title} prints is shown as it comes. Ctrl-C ends and keeps it.\n`,
  );
  const recorded = await recordRun(
    {
      ...{ ...child, args, limit: timeout },
      onLine: ({ channel, text }) => {
        (channel === 'stdout' ? terminal.out : terminal.err)(`${harmless(text)}\n`);
      },
    },
    effects,
  );
  if (!recorded.ok) {
    const why =
      recorded.error.code === 'ENOENT' ? 'it is not installed' : `the system says ${recorded.error.code}`;
    return refuse(io, { reason: 'unavailable', message: `${program} cannot be started: ${why}.` });
  }
  const recording = recorded.value;
  const asked =
    adapterNamed(program) === undefined
      ? undefined
      : await recordRun({ ...child, abort: NEVER, args: ['--version'], limit: VERSION_LIMIT }, effects);
  const zone = isZone(env['TZ'] ?? '') ? (env['TZ'] ?? io.zone) : io.zone;
  const captured = captureFiles(
    {
      ...{
        adapter,
        recording,
        args,
        zone,
        by: `secondwind ${VERSION}`,
        name: folder.split('/').at(-1) ?? 'capture',
      },
      version: asked?.ok === true ? versionSaid(asked.value) : undefined,
      notes: notesOf(adapter, env, io, recording),
    },
    { home: io.home, directory, env, ...whoAndWhere() },
  );
  return keep(io, folder, adapter, captured);
}

const NEVER = new AbortController().signal;

async function keep(io: Io, folder: string, adapter: Adapter, captured: CaptureFiles): Promise<number> {
  const made = makeFolder(folder);
  if (!made.ok)
    return refuse(io, { reason: 'failed', message: `cannot make the folder ${folder}: ${made.error}.` });
  for (const [name, text] of Object.entries(captured.files)) {
    const written = writeNewFile(`${folder}/${name}`, text);
    if (!written.ok) {
      return refuse(io, { reason: 'failed', message: `cannot write ${folder}/${name}: ${written.error}.` });
    }
  }
  const again = await judgeFixture({ cli: adapter.name, name: folder.split('/').at(-1) ?? '', folder });
  if (!hasPassed(again)) throw new Error(`the capture in ${folder} does not replay as it was recorded`);
  const styled = style(io.terminal.colors.err);
  io.terminal.err(removedReport(captured, styled));
  io.terminal.err(capturedReport(captured, { folder, adapter, directory: io.directory }, styled));
  return EXIT.done;
}

/** Which adapter a program belongs to, by its name: `claude`, `/opt/bin/codex`, `gemini-0.61`. */
function adapterNamed(program: string): string | undefined {
  const base = program.split('/').at(-1) ?? '';
  return ADAPTER_NAMES.find((name) => base === name || new RegExp(`^${name}[-@.\\d]`).test(base));
}

/** The newest line in which the CLI noted its windows during the run: a reset may be named nowhere else. */
function notesOf(
  { readings }: Adapter,
  env: Readonly<Record<string, string>>,
  { home }: Io,
  { startedAt }: Recording,
): readonly string[] {
  if (readings === undefined) return [];
  const newest = newestRecord({
    ...{ folder: readings.folder(env, home), matches: readings.matches },
    read: (line) => {
      const reading = readings.read(line);
      return reading === undefined ? undefined : { observedAt: reading.observedAt, line };
    },
  });
  return newest === undefined || newest.observedAt < startedAt ? [] : [newest.line];
}

/** For a folder's name: `20261129-204415`. */
function stamp(now: EpochMs): string {
  return toIso(now).slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}
