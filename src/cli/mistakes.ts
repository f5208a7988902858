import { anyOf, didYouMean } from '../core/similar.ts';

const CHOICE =
  /^(?<lead>.*) is invalid(?: for argument '(?<argument>[^']*)')?\. Allowed choices are (?<choices>.*)\.$/s;
const VALUE =
  /^option '(?:-\w, )?(?<option>--[\w-]+)[^']*' argument '(?<found>.*)' is invalid\. (?<why>.*)$/s;

/** What commander says of a wrong command line, in the words in which all else is said. */
export function mistake(text: string): string {
  const said = text.replace(/^error: /, '').trimEnd();
  const ours = aboutChoice(said) ?? aboutValue(said) ?? aboutCount(said) ?? aboutNoValue(said) ?? meant(said);
  return `secondwind: ${ours}${ours.endsWith('.') ? '' : '.'}\n`;
}

/** commander's own guesses stand on a line below what they are about. */
function meant(said: string): string {
  const [, lead, all] = /^([^\n]*)\n\(Did you mean (?:one of )?([^\n]*)\?\)$/.exec(said) ?? [];
  if (lead === undefined || all === undefined) return said;
  return `${lead} (did you mean ${anyOf(all.split(', ').map((name) => `'${name}'`))}?)`;
}

/** `--file: expected <file>, but found nothing.` */
function aboutNoValue(said: string): string | undefined {
  const [, option, value] = /^option '(?:-\w, )?(--[\w-]+) ([^']*)' argument missing$/.exec(said) ?? [];
  return option === undefined || value === undefined
    ? undefined
    : `${option}: expected ${value}, but found nothing.`;
}

/** `--kind: expected rate-limit or auth-failure, but found 'rate-limt' (did you mean 'rate-limit'?).` */
function aboutChoice(said: string): string | undefined {
  const { lead = '', argument, choices } = CHOICE.exec(said)?.groups ?? {};
  if (choices === undefined) return undefined;
  const all = choices.split(', ');
  const option = /^option '(?:-\w, )?(--[\w-]+)/.exec(lead)?.[1];
  const found = /'([^']*)'$/.exec(lead)?.[1] ?? '';
  return `${option ?? argument ?? ''}: expected ${anyOf(all)}, but found '${found}'${didYouMean(found, all)}.`;
}

/** `--limit: expected a whole number from 1 to 9999, but found 'x'.` */
function aboutValue(said: string): string | undefined {
  const { option, why } = VALUE.exec(said)?.groups ?? {};
  if (option === undefined || why === undefined) return undefined;
  return `${option}: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
}

/** `expected no argument after status, but found 1.` */
function aboutCount(said: string): string | undefined {
  const [, name, most, found] =
    /^too many arguments(?: for '(.*)')?\. Expected (\d+) arguments? but got (\d+)\.$/.exec(said) ?? [];
  if (most === undefined || found === undefined) return undefined;
  const many = most === '0' ? 'no argument' : `at most ${most}`;
  return `expected ${many} after ${name ?? 'secondwind'}, but found ${found}.`;
}
