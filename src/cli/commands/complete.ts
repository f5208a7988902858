import { ADAPTER_NAMES } from '../../workers/registry.ts';
import type { DeclaredCommand, Wanted } from '../completion.ts';
import { wanted } from '../completion.ts';
import { EXIT } from '../exit-codes.ts';
import { harmless } from '../../core/harmless.ts';
import type { Io } from '../io.ts';
import type { LiveName } from '../live-names.ts';
import { kindsOnRecord, restingNames, sessionNames, workerNames } from '../live-names.ts';

/** What a shell is told: names with what each is about, or that it shall offer files or folders itself. */
type Offer = readonly LiveName[] | ':files' | ':dirs';

/**
 * `complete -- WORDS`, which the shells' functions call: a candidate a line, a tab, what it is about. The first line
 * may be `:files` or `:dirs` instead.
 */
export function complete(io: Io, program: DeclaredCommand, words: readonly string[]): number {
  const given = words.at(-1) ?? '';
  const typed = given === '=' ? '' : given;
  const want = wanted(program, [...words.slice(0, -1), typed]);
  const offer = offerOf(io, want, typed);
  if (typeof offer === 'string') {
    io.terminal.out(`${offer}\n`);
    return EXIT.done;
  }
  const fitting = offer.filter(({ name }) => name.startsWith(typed));
  const lines = fitting.map(({ name, about }) => `${name}${about === '' ? '' : `\t${oneLine(about)}`}\n`);
  io.terminal.out(lines.join(''));
  return EXIT.done;
}

function offerOf(io: Io, want: Wanted, typed: string): Offer {
  switch (want.type) {
    case 'nothing':
      return [];
    case 'words':
      return want.words.map(({ word, about }) => ({ name: word, about }));
    case 'value': {
      const values = valuesOf(io, want, typed.slice(want.lead.length));
      if (typeof values === 'string' || want.lead === '') return values;
      return values.map(({ name, about }) => ({ name: want.lead + name, about }));
    }
  }
}

function valuesOf(
  { stateHome }: Io,
  { name, command, choices }: Extract<Wanted, { type: 'value' }>,
  typed: string,
): Offer {
  if (choices !== undefined) {
    const live = command === 'cooldown clear' ? kindsOnRecord(stateHome) : [];
    const kinds = choices.filter((one) => live.includes(one));
    return (kinds.length > 0 ? kinds : choices).map((one) => ({ name: one, about: '' }));
  }
  switch (name) {
    case 'worker':
      return command === 'cooldown clear' ? restingNames(stateHome) : workerNames(stateHome);
    case 'names':
      return inList(workerNames(stateHome), typed);
    case 'id':
      return sessionNames(stateHome, typed);
    case '--adapter':
      return ADAPTER_NAMES.map((one) => ({ name: one, about: '' }));
    case 'file':
      return ':files';
    case 'dir':
      return ':dirs';
    default:
      return [];
  }
}

/** Of a comma list the last name is typed; those before it are not offered again. */
function inList(names: readonly LiveName[], typed: string): readonly LiveName[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const chosen = before.split(',');
  return names
    .filter(({ name }) => !chosen.includes(name))
    .map(({ name, about }) => ({ name: before + name, about }));
}

function oneLine(text: string): string {
  return harmless(text).replace(/\s+/g, ' ').trim().slice(0, 80);
}
