// `npm run bench`: every budget of DESIGN 12, measured side by side in one run.
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { Budget, Judgement } from './budget.ts';
import { judge, lineOf } from './budget.ts';
import type { Ground } from './ground.ts';
import { openGround } from './ground.ts';
import { ending } from './ending.ts';
import { manyTasks } from './many-tasks.ts';
import { overhead } from './overhead.ts';
import { reading } from './reading.ts';
import { sharedState } from './shared-state.ts';
import { startUp } from './start-up.ts';

const CONCERNS: Readonly<Record<string, (ground: Ground) => Promise<readonly Budget[]>>> = {
  'start-up': startUp,
  reading,
  ending,
  overhead,
  'many tasks': manyTasks,
  'shared state': sharedState,
};

const HELP = `Usage: npm run bench -- [--only WORDS] [--quick]

Measures every budget of secondwind against what it is compared with, by turns, in one run. Each line says the median,
between what the middle half of the rounds lies, the goal, and whether it was met. A line without a goal is only told.

  --only WORDS   only the concerns whose name holds one of the words (${Object.keys(CONCERNS).join(', ')})
  --quick        a third of the rounds and less to read: for a look, not for a figure to quote

Exit: 0 when all goals were met, 1 when one was missed, 2 for wrong usage.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const words = values.only.split(/[\s,]+/).filter((word) => word !== '');
const wanted = Object.entries(CONCERNS).filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
);
if (values.help) console.log(HELP);
else if (wanted.length === 0) {
  console.error(
    `expected --only to name one of ${Object.keys(CONCERNS).join(', ')}, but found '${values.only}'`,
  );
  process.exitCode = 2;
} else await measure();

async function measure(): Promise<void> {
  const begun = performance.now();
  console.log(machine());
  console.log(
    `median (middle half) of rounds taken by turns${values.quick ? '; quick: not for quoting' : ''}\n`,
  );
  const ground = openGround(process.env['BENCH_ROOT'] ?? '', process.env['BENCH_ACTOR'] ?? '', values.quick);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      ground.close();
      process.exit(130);
    });
  const judgements: Judgement[] = [];
  try {
    for (const [name, measured] of wanted) {
      console.log(name);
      for (const budget of await measured(ground)) {
        console.log(lineOf(budget));
        judgements.push(judge(budget));
      }
      console.log('');
    }
  } finally {
    ground.close();
  }
  const [met, missed] = (['met', 'MISSED'] as const).map(
    (one) => judgements.filter((found) => found === one).length,
  );
  const took = ((performance.now() - begun) / 1_000).toFixed(0);
  console.log(`${String(met)} met, ${String(missed)} missed, in ${took} s; load ${load()}`);
  if (missed !== 0) process.exitCode = 1;
}

function machine(): string {
  const [first] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `${first?.model ?? 'unknown processor'}, ${String(cpus().length)} cores, ${memory} GiB, ${process.platform}, Node ${process.version}, load ${load()}`;
}

function load(): string {
  return loadavg()
    .map((one) => one.toFixed(1))
    .join(' ');
}
