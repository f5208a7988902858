import type { Cooldown } from '../../core/cooldown.ts';
import type { EpochMs } from '../../core/time.ts';
import { between, formatDuration, MINUTE, toIso } from '../../core/time.ts';
import type { StateSurvey } from '../../system/state-survey.ts';
import { formatInstant } from '../format.ts';
import type { Finding } from './finding.ts';
import { green, red, yellow } from './finding.ts';

/** Below this a night's state may not fit: the ledger of a busy day is a few MB. */
const LITTLE_SPACE = 50 * 1024 * 1024;

/** The folder of our state: who may read it, whether there is room, who holds a lock, what is broken. */
export function stateFindings(survey: StateSurvey, now: EpochMs): readonly Finding[] {
  const { path, problem, isMissing, unwritable, mode, isOurs, freeBytes } = survey;
  const { open, damaged, leftovers, locks } = survey;
  const noWriting = red(
    `nothing can be remembered: ${path} cannot be ${isMissing ? 'made' : 'written to'}, ${unwritable ?? ''}`,
    'make it writable, or set SECONDWIND_HOME to a folder that you may write to',
  );
  if (isMissing && unwritable !== undefined) return [noWriting];
  if (isMissing) return [green(`${path}: not there yet; it is made when there is something to remember`)];
  if (problem !== undefined)
    return [
      red(
        `nothing can be remembered: ${path}: ${problem}`,
        'make it a folder that you may read and write, or set SECONDWIND_HOME to one',
      ),
    ];
  const findings: Finding[] = unwritable === undefined ? [] : [noWriting];
  if (!isOurs)
    findings.push(
      red(`${path} belongs to another user`, `take it over, or set SECONDWIND_HOME to a folder of your own`),
    );
  const loose = mode !== undefined && (mode & 0o077) !== 0;
  if (loose)
    findings.push(yellow(`${path} is open to others (mode 0${mode.toString(8)})`, `chmod 700 ${path}`));
  if (open.length > 0)
    findings.push(yellow(`files that others may read: ${open.join(', ')}`, `chmod 600 ${path}/*.json`));
  // What is mounted read-only has often no room left: making some would not help.
  if (unwritable === undefined && freeBytes !== undefined && freeBytes < LITTLE_SPACE)
    findings.push(
      yellow(
        `only ${inMegabytes(freeBytes)} are free on its disk`,
        'make room: what cannot be written is not remembered',
      ),
    );
  for (const { file, holder, isAlive, since } of locks) {
    const long =
      since === undefined ? '' : `, for ${formatDuration(between(Math.round(since) as EpochMs, now))}`;
    if (!isAlive)
      findings.push(green(`${file} is locked by ${holder}, which is gone; the next to write takes the lock`));
    else if (since !== undefined && now - since > MINUTE)
      findings.push(yellow(`${file} is locked by ${holder}${long}`, 'if it hangs, end it'));
    else findings.push(green(`${file} is locked by ${holder}${long}`));
  }
  if (damaged.length > 0)
    findings.push(
      yellow(
        `states that could not be read were set aside: ${damaged.join(', ')}`,
        `look into them, then remove them from ${path}`,
      ),
    );
  if (leftovers.length > 0)
    findings.push(green(`left by killed processes, and removed at the next write: ${leftovers.join(', ')}`));
  const room = freeBytes === undefined ? '' : `, ${inMegabytes(freeBytes)} free`;
  return findings.some(({ level }) => level !== 'green')
    ? findings
    : [green(`${path}: for you alone${room}`), ...findings];
}

function inMegabytes(bytes: number): string {
  const megabytes = bytes / (1024 * 1024);
  return megabytes >= 1024 ? `${(megabytes / 1024).toFixed(1)} GB` : `${String(Math.floor(megabytes))} MB`;
}

/** The clock by which rests are measured, and whether what is on record came from another. */
export function clockFindings(now: EpochMs, zone: string, known: readonly Cooldown[]): readonly Finding[] {
  const text = `${formatInstant(now, now, zone)} in ${zone} (${toIso(now)})`;
  const ahead = known.filter(({ since }) => since > now + MINUTE);
  return ahead.length === 0
    ? [green(text)]
    : [
        yellow(
          `${text}; but ${String(ahead.length)} on record come from later than that`,
          'set the clock: it was ahead, or is behind',
        ),
      ];
}

/** The oldest Node that we run on; package.json says the same. */
const OLDEST_NODE = [20, 19] as const;

export function nodeFindings(version: string, path: string): readonly Finding[] {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const text = `Node ${version}, ${path}`;
  return [isOld ? red(text, `install Node ${OLDEST_NODE.join('.')} or newer`) : green(text)];
}
