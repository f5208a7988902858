import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './messages.ts';
import type { Actor, Outcome, Stage } from './stage.ts';
import { happens, roomFor } from './stage.ts';

/** Many processes record unique cooldowns while one after another is killed and replaced. */
export async function killedWriters(
  stage: Stage,
  scale: { writers: number; kills: number },
): Promise<Outcome> {
  const room = roomFor(stage, 'killed-writers');
  const [home, acks] = [join(room, 'home'), join(room, 'acks')];
  mkdirSync(acks);
  const everybody: Actor[] = [];
  const commits = (): number =>
    everybody.reduce((sum, actor) => sum + reportsOf(actor, 'committed').length, 0);
  const startWriter = (): Actor => {
    const prefix = `w${String(everybody.length)}`;
    const writer = stage.start({ type: 'write', home, prefix, acks: join(acks, prefix) });
    everybody.push(writer);
    return writer;
  };
  const reader = stage.start({ type: 'read', home });
  const writers = Array.from({ length: scale.writers }, startWriter);
  await happens(() => commits() >= scale.writers, 10_000);
  for (let kills = 0; kills < scale.kills; kills += 1) {
    const enough = commits() + Math.floor(stage.random() * 4);
    await happens(() => commits() >= enough, 100);
    const victim = Math.floor(stage.random() * writers.length);
    writers[victim]?.process.kill('SIGKILL');
    writers[victim] = startWriter();
  }
  // The survivors still get on.
  const afterKills = commits();
  const goesOn = await happens(() => commits() > afterKills, 5_000);
  await Promise.all([reader, ...everybody].map((actor) => actor.kill()));
  return judge(scale.kills, { home, acks, goesOn, reader, everybody });
}

interface Played {
  readonly home: string;
  readonly acks: string;
  readonly goesOn: boolean;
  readonly reader: Actor;
  readonly everybody: readonly Actor[];
}

function judge(kills: number, { home, acks, goesOn, reader, everybody }: Played): Outcome {
  const seats = savedSeats(home);
  const kept = new Set(seats);
  const acknowledged = readdirSync(acks).flatMap((name) =>
    readFileSync(join(acks, name), 'utf8').trim().split('\n'),
  );
  const lost = acknowledged.filter((seat) => !kept.has(seat)).length;
  const readings = reportsOf(reader, 'read');
  const torn = readings.filter((report) => report.torn).length;
  const problems = [reader, ...everybody].flatMap((actor) => reportsOf(actor, 'problem'));
  const duplicates = seats.length - kept.size;
  const reads = readings.at(-1)?.reads ?? 0;
  return {
    figures: { kills, acknowledged: acknowledged.length, lost, duplicates, reads, 'torn reads': torn },
    breaches: [
      ...(lost > 0 ? ['acknowledged updates were lost'] : []),
      ...(duplicates > 0 ? ['updates were saved twice'] : []),
      ...(torn > 0 ? ['a reader saw less than a committed state'] : []),
      ...(goesOn ? [] : ['after the kills nobody could write any more']),
      ...(acknowledged.length < kills / 4 || reads === 0
        ? ['too little was written or read to prove anything']
        : []),
      ...problems.map(({ message }) => message),
    ],
  };
}

function savedSeats(home: string): readonly string[] {
  const saved = JSON.parse(readFileSync(join(home, 'cooldowns.json'), 'utf8')) as {
    readonly cooldowns: readonly { readonly target: { readonly seat: string } }[];
  };
  return saved.cooldowns.map(({ target }) => target.seat);
}

function reportsOf<Type extends Report['type']>(
  actor: Actor,
  type: Type,
): readonly Extract<Report, { readonly type: Type }>[] {
  return actor.reports.filter(
    (report): report is Extract<Report, { readonly type: Type }> => report.type === type,
  );
}
