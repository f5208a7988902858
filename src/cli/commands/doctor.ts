import type { Examination } from '../doctor/examine.ts';
import { examine } from '../doctor/examine.ts';
import { examinationJson } from '../doctor/json.ts';
import { worst } from '../doctor/finding.ts';
import { renderExamination } from '../doctor/render.ts';
import { jsonText } from '../../core/harmless.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { style } from '../style.ts';
import { PIPED_COLUMNS } from '../wrap.ts';

export interface DoctorFlags {
  readonly liveness?: boolean;
  readonly json?: boolean;
}

/** `doctor`: what works, what does not, and what to do about it. */
export async function doctor(io: Io, { liveness = false, json = false }: DoctorFlags): Promise<number> {
  const { terminal } = io;
  const seen = await examine(io, liveness);
  if (json) terminal.out(`${jsonText(examinationJson(seen), 2)}\n`);
  else
    terminal.out(renderExamination(seen, terminal.outColumns ?? PIPED_COLUMNS, style(terminal.colors.out)));
  return exitCode(seen);
}

/** A rest that ends by itself is no failure: only what somebody has to mend is. */
function exitCode({ workers, configurationIsWrong, state }: Examination): number {
  if (configurationIsWrong) return EXIT.configuration;
  const able = workers.filter(({ canRun }) => canRun).length;
  if (able === 0) return EXIT.unavailable;
  return able === workers.length && worst(state) !== 'red' ? EXIT.done : EXIT.failed;
}
