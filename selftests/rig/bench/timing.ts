import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Figures } from './figures.ts';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What one run of a program took, in milliseconds. */
export interface Cost {
  readonly wall: number;
  /** User and system time of it and all that it waited for; `NaN` where the system does not say. */
  readonly cpu: number;
  readonly peakMiB: number;
}

/** Runs a program to its end, its output thrown away. Throws when it ends otherwise than with `code`. */
export async function cost({ file, args, cwd, env }: Program, code = 0): Promise<Cost> {
  const [cpu, started] = [cpuOfChildren(), performance.now()];
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  let peakMiB = 0;
  const look = setInterval(() => {
    peakMiB = Math.max(peakMiB, peakOf(child.pid));
  }, 50);
  const ended = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearInterval(look);
  if (ended !== code)
    throw new Error(`${file} ${args.join(' ')} ended with ${String(ended)}: ${said.join('').slice(-500)}`);
  return { wall: performance.now() - started, cpu: cpuOfChildren() - cpu, peakMiB };
}

/** Measures several things in turn, a round each, after one round that only warms up. */
export async function byTurns<Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Readonly<Record<Name, Figures>>> {
  const names = Object.keys(measures) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const figure = await measures[name]();
      if (round > 0) figures[name].push(figure);
    }
  }
  return figures;
}

/** The most memory that a process has held, as the kernel counts it (Linux, proc(5)); 0 when it has gone. */
function peakOf(pid: number | undefined): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(`${String(pid)}/status`))?.[1];
  return Number(peak ?? 0) / 1024;
}

/** Milliseconds; `/proc/self/stat` counts them in hundredths of a second (fields 16 and 17, proc(5)). */
function cpuOfChildren(): number {
  const stat = readProc('self/stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13] ?? NaN) + Number(fields[14] ?? NaN)) * 10;
}

/** Empty where there is no such file: it has gone, or the system is not Linux. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
