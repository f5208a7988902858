import type { CapturedLine } from '../fleet/replay.ts';

/** Where the rule stands that should have read a line: for whoever is to mend it. */
export interface RulePlace {
  /** The position that the line takes in its CLI's output: `system/api_retry`, `turn.failed`, `stderr`. */
  readonly position: string;
  readonly files: readonly string[];
}

export function rulePlace(cli: string, line: CapturedLine | undefined): RulePlace {
  const files = [`src/workers/readers/${cli}.ts`, `src/signals/phrases/${cli}.ts`];
  return { position: line === undefined ? 'the end of the process' : positionOf(line), files };
}

export function describePlace(cli: string, { position, files }: RulePlace): string {
  return `${cli} at ${position}, read in ${files.join(' with the words of ')}`;
}

function positionOf({ channel, text }: CapturedLine): string {
  if (channel === 'stderr') return 'stderr';
  const event = parsed(text);
  if (typeof event?.['type'] !== 'string') return 'a plain line of stdout';
  const subtype = event['subtype'];
  return typeof subtype === 'string' ? `${event['type']}/${subtype}` : event['type'];
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
