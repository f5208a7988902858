import { jsonText } from '../../core/harmless.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { quotaOf } from '../../library/quota.ts';
import { quotaLines, windowJson, windowRows } from '../quota-view.ts';
import { planOf } from '../../library/plan.ts';
import { style } from '../style.ts';

/** `quota [list]`: how full every window was when it was last seen. Nobody is asked. */
export async function listQuota(io: Io, { json }: { readonly json?: boolean }): Promise<number> {
  const plan = await planOf(io, {});
  if (!plan.ok) return refuse(io, plan.error);
  const rows = windowRows(plan.value.fleet, await quotaOf(io).read());
  const { terminal, clock, zone } = io;
  const now = clock.now();
  if (json === true) {
    const windows = rows.map((row) => windowJson(row, now));
    terminal.out(`${jsonText(windows, 2)}\n`);
    return EXIT.done;
  }
  if (rows.length === 0) {
    terminal.out('No CLI is installed, and no quota window was ever seen.\n');
    return EXIT.done;
  }
  const look = { now, zone, style: style(terminal.colors.out), columns: terminal.outColumns ?? Infinity };
  for (const line of quotaLines(rows, look)) terminal.out(`${line}\n`);
  return EXIT.done;
}
