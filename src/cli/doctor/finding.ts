/** Green: as it should be. Yellow: it works, or will again by itself. Red: somebody has to do something. */
export type Level = 'green' | 'yellow' | 'red';

/** One thing that the doctor has seen. */
export interface Finding {
  readonly level: Level;
  readonly text: string;
  /** What to do about it; a green one needs nothing. */
  readonly advice?: string | undefined;
}

const ORDER: readonly Level[] = ['green', 'yellow', 'red'];

export function worst(findings: readonly Pick<Finding, 'level'>[]): Level {
  return ORDER.findLast((level) => findings.some((one) => one.level === level)) ?? 'green';
}

export const green = (text: string): Finding => ({ level: 'green', text });
export const yellow = (text: string, advice?: string): Finding => ({ level: 'yellow', text, advice });
export const red = (text: string, advice: string): Finding => ({ level: 'red', text, advice });
