import type { Budget } from './budget.ts';
import { spread } from './budget.ts';
import { median, ratios } from './figures.ts';
import type { Ground } from './ground.ts';
import { INSTANT, placeOn } from './ground.ts';
import { saveLedger, saveRests } from './records.ts';
import { cost } from './timing.ts';
import type { Cost, Program } from './timing.ts';

const RECORDS = [10, 1_000, 10_000];
const LEDGER_LINES = 1_000_000;

interface Subject {
  readonly name: string;
  readonly program: Program;
  readonly atMost?: number;
}

/** What a start costs against Node's own, with few and many records, and with a ledger of a million lines beside. */
export async function startUp(ground: Ground): Promise<readonly Budget[]> {
  const bare = placeOn(ground, 'bare').program(process.execPath, '-e', '0');
  const subjects = subjectsOn(ground);
  const nodes: Cost[] = [];
  const costs = new Map<string, Cost[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round <= ground.rounds(9); round += 1) {
    const node = await cost(bare);
    if (round > 0) nodes.push(node);
    for (const { name, program } of subjects) {
      const taken = await cost(program);
      if (round > 0) costs.get(name)?.push(taken);
    }
  }
  const wallOf = (name: string) => (costs.get(name) ?? []).map(({ wall }) => wall);
  const rows = subjects.map(({ name, atMost }): Budget => {
    const taken = costs.get(name) ?? [];
    const walls = wallOf(name);
    const cpu = ratios([sum(taken.map(({ cpu: own }) => own))], [sum(nodes.map(({ cpu: own }) => own))]);
    return {
      ...{
        name,
        unit: 'x node -e 0',
        figures: ratios(
          walls,
          nodes.map(({ wall }) => wall),
        ),
      },
      ...(atMost === undefined ? {} : { goal: { atMost } }),
      details: [`${spread(walls, 0, 'ms')}; ${median(cpu).toFixed(2)} x its processor time`],
    };
  });
  const flat = (name: string): Budget => ({
    name: `${name}: a ledger of a million lines`,
    ...{ unit: 'x the same without one', digits: 2, goal: { atMost: 1.1 } },
    figures: ratios(wallOf(`${name}, a million lines`), wallOf(`${name}, 10 records`)),
  });
  return [
    ...rows.filter(({ name }) => !name.endsWith(', a million lines')),
    ...['cooldown list', 'run --dry-run'].map(flat),
  ];
}

function subjectsOn(ground: Ground): readonly Subject[] {
  const empty = placeOn(ground, 'empty');
  empty.fake('claude', INSTANT);
  const places = RECORDS.map((count) => {
    const place = placeOn(ground, `records-${String(count)}`);
    place.fake('claude', INSTANT);
    saveRests(place.stateHome, count);
    return [`${count.toLocaleString('en')} records`, place] as const;
  });
  const long = placeOn(ground, 'ledger');
  long.fake('claude', INSTANT);
  saveRests(long.stateHome, 10);
  saveLedger(long.stateHome, ground.quick ? LEDGER_LINES / 10 : LEDGER_LINES);
  const commands = [
    ['cooldown list', ['cooldown', 'list']],
    ['run --dry-run', ['run', '--dry-run', 'x']],
  ] as const;
  return [
    { name: '--version', program: empty.product('--version'), atMost: 1.25 },
    { name: '--help', program: empty.product('--help') },
    ...commands.flatMap(([name, args]) =>
      [['nothing saved', empty] as const, ...places, ['a million lines', long] as const].map(
        ([state, place]) => ({
          ...{ name: `${name}, ${state}`, program: place.product(...args), atMost: 1.4 },
        }),
      ),
    ),
    { name: 'explain, 10 records', program: places[0]?.[1].product('explain') ?? empty.product('explain') },
  ];
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
