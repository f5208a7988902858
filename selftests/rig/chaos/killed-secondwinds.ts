import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, killAll, processesWith } from '../live-processes.ts';
import type { Outcome, Stage } from './stage.ts';
import { roomFor, sourceFolder } from './stage.ts';

const STEPS = '0,1,2';
const MARK = /\0SECONDWIND_ATTEMPT=[^.]+\.[^.]+\.[^.]+\.(\d+)\./;

/** What `sessions --json` says of one. */
interface Session {
  readonly id: string;
  readonly state: string;
  readonly request: { readonly task: string };
  readonly attempts: readonly { readonly how: string; readonly conversation?: string }[];
}

interface Room {
  readonly folder: string;
  readonly conversations: string;
  readonly start: (args: readonly string[]) => Run;
}

interface Run {
  readonly process: ChildProcess;
  readonly said: { out: string; err: string };
  readonly code: Promise<number | null>;
}

/**
 * secondwind itself is killed -9 at random moments, while it runs a task or goes on with one. The next start ends whom it
 * left behind; each session that it has named is on record, and goes on to its end with each step done once.
 */
export async function killedSecondwinds(
  stage: Stage,
  scale: { readonly kills: number; readonly sessions: number },
): Promise<Outcome> {
  const room = furnish(roomFor(stage, 'killed-secondwinds'));
  const named = new Set<string>();
  const breaches: string[] = [];
  // How long one takes from its start to its end decides where in it the kills may fall.
  const since = performance.now();
  const whole = room.start(['run', '--json', 'do task-0']);
  if ((await whole.code) !== 0) breaches.push(`a run that nobody killed: ${whole.said.err}`);
  const length = performance.now() - since;
  note(whole, named);
  let [kills, starts, survivors, tasks] = [0, 1, 0, 1];
  for (; kills < scale.kills && starts < scale.kills * 3; starts += 1) {
    const open = unfinished(room);
    const old = open[Math.floor(stage.random() * open.length)];
    const isNew = old === undefined || (tasks < scale.sessions && stage.random() < 0.5);
    const victim = room.start(
      isNew ? ['run', '--json', `do task-${String(tasks)}`] : ['resume', old, '--json'],
    );
    if (isNew) tasks += 1;
    const moment = stage.random() * length * 1.1;
    await Promise.race([victim.code, sleep(moment)]);
    // Whoever says that its session has started has looked after those before it.
    if (victim.said.out.includes('session.started')) survivors += leftBehind(room, victim.process.pid);
    if (victim.process.kill('SIGKILL') && (await victim.code) === null) kills += 1;
    note(victim, named);
  }
  if (survivors > 0) breaches.push('somebody has survived the next start');
  const afterwards = await goOn(room);
  const sessions = await list(room);
  breaches.push(...afterwards.breaches, ...judge(sessions, named, room));
  const left = processesWith(room.folder);
  if (left.length > 0) breaches.push(`still alive: ${left.map(({ command }) => command).join('; ')}`);
  killAll(left);
  if (kills < scale.kills) breaches.push(`only ${String(kills)} could be killed`);
  const figures = { kills, starts, sessions: named.size, survivors, resumed: afterwards.resumed };
  return { figures: { ...figures, 'told in a brief': briefs(sessions) }, breaches };
}

function furnish(folder: string): Room {
  const [home, conversations] = [join(folder, 'home'), join(folder, 'conversations')];
  for (const path of [home, conversations]) mkdirSync(path);
  const root = join(sourceFolder(), '../../..');
  const command = [process.execPath, join(root, 'fixtures/children/steps.js')];
  const env = { STEPS_FOLDER: conversations };
  const config = { workers: [{ id: 'claude', adapter: 'claude', command, env }] };
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  return {
    ...{ folder, conversations },
    start: (args) => {
      const child = spawn(process.execPath, [join(root, 'bin/secondwind.js'), ...args], {
        cwd: folder,
        env: { PATH: '/usr/bin:/bin', HOME: folder, SECONDWIND_HOME: home, TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const said = { out: '', err: '' };
      child.stdout.on('data', (text: Buffer) => (said.out += text.toString()));
      child.stderr.on('data', (text: Buffer) => (said.err += text.toString()));
      // Not `close`: the worker of one that was killed may hold its pipes.
      const code = once(child, 'exit').then(([exit]) => exit as number | null);
      return { process: child, said, code };
    },
  };
}

/** The session that a run named on stdout. */
function note({ said }: Run, named: Set<string>): void {
  const id = /^\{"type":"session.started".*?"session":"([^"]+)"/m.exec(said.out)?.[1];
  if (id !== undefined) named.add(id);
}

/** How many processes of attempts there are whose secondwind is not this one. */
function leftBehind({ folder }: Room, own: number | undefined): number {
  return processesWith(folder).filter((found) => {
    const maker = MARK.exec(environmentOf(found))?.[1];
    return maker !== undefined && Number(maker) !== own;
  }).length;
}

async function list({ start }: Room): Promise<readonly Session[]> {
  const { said, process } = start(['sessions', '--json']);
  await once(process, 'close');
  return JSON.parse(said.out) as Session[];
}

/** Read from the disk, as a start for each look would take as long as the kills themselves. */
function unfinished({ folder }: Room): readonly string[] {
  const sessions = join(folder, 'home', 'sessions');
  const names = existsSync(sessions) ? readdirSync(sessions).filter((name) => name.endsWith('.json')) : [];
  return names.flatMap((name) => {
    const saved = JSON.parse(readFileSync(join(sessions, name), 'utf8')) as { readonly session: Session };
    return saved.session.state === 'done' ? [] : [saved.session.id];
  });
}

/** Every session that is not done is gone on with, four at a time. */
async function goOn(room: Room): Promise<{ readonly resumed: number; readonly breaches: readonly string[] }> {
  const left = [...unfinished(room)];
  const resumed = left.length;
  const breaches: string[] = [];
  const work = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const { code, said } = room.start(['resume', id]);
      const exit = await code;
      if (exit !== 0) breaches.push(`resume ${id} ended with ${String(exit)}: ${said.err}`);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return { resumed, breaches };
}

function judge(all: readonly Session[], named: ReadonlySet<string>, room: Room): readonly string[] {
  const kept = new Set(all.map(({ id }) => id));
  const lost = [...named].filter((id) => !kept.has(id)).map((id) => `session ${id} is lost`);
  const open = all.filter(({ state }) => state !== 'done').map(({ id, state }) => `${id} is ${state}`);
  const steps = stepsByTask(room);
  const wrong = all.flatMap(({ id, request, attempts }) => {
    const done = steps.get(request.task.replace('do ', '')) ?? '';
    // Whoever was killed before it had read the name of the conversation goes on in another one, told what is known.
    const isToBeOnce = attempts.every(({ how }) => how === 'prompt' || how === 'resume');
    return isToBeOnce && done !== STEPS ? [`${id} has done the steps ${done}`] : [];
  });
  return [...lost, ...open, ...wrong];
}

/** The steps of each task, from all conversations about it. */
function stepsByTask({ conversations }: Room): ReadonlyMap<string, string> {
  const steps = new Map<string, string>();
  for (const name of readdirSync(conversations)) {
    const [task = '', ...done] = readFileSync(join(conversations, name), 'utf8').trim().split('\n');
    steps.set(task, [steps.get(task) ?? [], done].flat().join(','));
  }
  return steps;
}

function briefs(all: readonly Session[]): number {
  return all.filter(({ attempts }) => attempts.some(({ how }) => how === 'brief')).length;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
