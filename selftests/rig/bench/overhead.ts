import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { privateEnvironment } from '../../../src/selftest/live/environment.ts';
import { WIRING } from '../../../src/selftest/live/wiring.ts';
import { says } from '../../../src/upstream/scenarios/claude.ts';
import { startUpstream } from '../../../src/upstream/upstream.ts';
import type { Budget } from './budget.ts';
import { spread } from './budget.ts';
import { differences } from './figures.ts';
import type { Ground } from './ground.ts';
import { INSTANT, placeOn } from './ground.ts';
import type { Program } from './timing.ts';
import { byTurns, cost } from './timing.ts';

/** What `run` adds to the CLI that it runs: to one that does nothing, and to the real one where it is at hand. */
export async function overhead(ground: Ground): Promise<readonly Budget[]> {
  const place = placeOn(ground, 'overhead');
  place.fake('claude', INSTANT);
  const instant = await added(ground, 'one that is done at once', {
    ...{
      bare: place.program(join(place.bin, 'claude'), '-p', 'x'),
      run: place.product('run', '--quiet', 'x'),
      node: place.program(process.execPath, '-e', '0'),
    },
    rounds: 15,
  });
  return [instant, ...(await overRealClaude(ground))];
}

interface Pair {
  readonly bare: Program;
  readonly run: Program;
  /** What cannot be less: Node starts, and does nothing. */
  readonly node: Program;
  readonly rounds: number;
}

async function added(ground: Ground, what: string, { bare, run, node, rounds }: Pair): Promise<Budget> {
  const cpus = { bare: [] as number[], run: [] as number[] };
  const measured = (which: 'bare' | 'run', program: Program) => async () => {
    const { wall, cpu } = await cost(program);
    cpus[which].push(cpu);
    return wall;
  };
  const figures = await byTurns(ground.rounds(rounds), {
    bare: measured('bare', bare),
    run: measured('run', run),
    node: async () => (await cost(node)).wall,
  });
  return {
    ...{ name: `run over the bare CLI: ${what}`, unit: 'ms more', digits: 0 },
    ...{ figures: differences(figures.run, figures.bare), goal: { atMost: 120 } },
    details: [
      `${spread(figures.run, 0, 'ms')} against ${spread(figures.bare, 0, 'ms')}; ` +
        `${spread(differences(cpus.run, cpus.bare), 0, 'ms')} more of processor time; ` +
        `Node itself starts in ${spread(figures.node, 0, 'ms')}`,
    ],
  };
}

const CLAUDE = '2.1.197';

/** The CLI that the live tests keep, against the loopback upstream; nothing where nobody has installed it. */
async function overRealClaude(ground: Ground): Promise<readonly Budget[]> {
  const cache =
    process.env['SECONDWIND_LIVE_CLIS'] ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'secondwind-live-clis');
  const machine = `${process.platform}-${process.arch}`;
  const program = join(
    ...[cache, `claude-${CLAUDE}-${machine}`, 'node_modules/@anthropic-ai'],
    ...[`claude-code-${machine}`, 'claude'],
  );
  if (!existsSync(program)) {
    console.log(`        (no Claude Code ${CLAUDE} in ${cache}: npm run test:live puts it there)`);
    return [];
  }
  const started = await startUpstream({ scenarios: { claude: says('Done.') } });
  if (!started.ok) throw new Error(started.error);
  const upstream = started.value;
  const place = placeOn(ground, 'real');
  const home = join(place.home, 'claude');
  mkdirSync(home);
  const { env: wired } = WIRING.claude(upstream.url('claude'), home, {});
  const env = {
    ...privateEnvironment({
      ...{ path: '/usr/bin:/bin', home: place.home, tmp: ground.folder, zone: 'UTC', proxy: upstream.proxy },
    }),
    SECONDWIND_HOME: place.stateHome,
  };
  const worker = { id: 'claude', adapter: 'claude', command: [program], env: wired };
  writeFileSync(join(place.stateHome, 'config.json'), JSON.stringify({ workers: [worker] }));
  const args = [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    'acceptEdits',
    '--',
    'x',
  ];
  try {
    return [
      await added(ground, `Claude Code ${CLAUDE}`, {
        bare: { file: program, args, cwd: place.project, env: { ...env, ...wired } },
        run: { ...place.product('run', '--quiet', 'x'), env },
        node: place.program(process.execPath, '-e', '0'),
        rounds: 15,
      }),
    ];
  } finally {
    await upstream.close();
  }
}
