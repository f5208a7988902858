import { Chalk } from 'chalk';
import type { ColorSupportLevel } from 'chalk';

/** The one place that knows chalk, which by itself ignores NO_COLOR: the level is decided by the terminal's rules. */
export function style(level: ColorSupportLevel) {
  const chalk = new Chalk({ level });
  return {
    faint: chalk.dim,
    strong: chalk.bold,
    good: chalk.green,
    bad: chalk.red,
    warn: chalk.yellow,
    name: chalk.cyan,
  };
}

export type Style = ReturnType<typeof style>;
