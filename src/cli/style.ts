import { Chalk } from 'chalk';
import type { ColorSupportLevel } from 'chalk';

/**
 * The one place that knows chalk, which by itself ignores NO_COLOR: the level is decided by the terminal's rules. Where
 * there are 256 colours these are as far from black as from white, so that they can be read on either; sixteen are the
 * terminal's own, which its theme has chosen for its background. No colour says anything that the text does not.
 */
export function style(level: ColorSupportLevel) {
  const chalk = new Chalk({ level });
  const own = level < 2;
  return {
    faint: chalk.dim,
    strong: chalk.bold,
    good: own ? chalk.green : chalk.ansi256(28),
    bad: own ? chalk.red : chalk.ansi256(196),
    warn: own ? chalk.yellow : chalk.ansi256(130),
    name: own ? chalk.cyan : chalk.ansi256(30),
  };
}

export type Style = ReturnType<typeof style>;
