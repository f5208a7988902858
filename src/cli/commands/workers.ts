import { jsonText } from '../../core/harmless.ts';
import type { Standing } from '../../fleet/standing.ts';
import { standings } from '../../fleet/standing.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { planOf } from '../../library/plan.ts';
import { situationOf } from '../../library/situation.ts';
import { standingJson, stateOf } from '../standing-words.ts';
import { textTable } from '../table.ts';

/** `workers`: the fleet, in its own order, and how each is set up. */
export async function listWorkers(io: Io, { json }: { readonly json?: boolean }): Promise<number> {
  const plan = await planOf(io, {});
  if (!plan.ok) return refuse(io, plan.error);
  const { fleet } = plan.value;
  const situation = await situationOf(io, plan.value);
  const place = ({ worker }: Standing): number => fleet.findIndex(({ id }) => id === worker.id);
  const all = standings(situation).toSorted((a, b) => place(a) - place(b));
  if (json === true) {
    const rows = all.map((one) => standingJson(one, situation.now));
    io.terminal.out(`${jsonText(rows, 2)}\n`);
    return EXIT.done;
  }
  const rows = all.map((one) => {
    const { id, adapter, seat, model, billing } = one.worker;
    return [id, adapter, seat, model ?? '-', billing ?? '-', stateOf(one)];
  });
  io.terminal.out(
    textTable(['WORKER', 'CLI', 'SEAT', 'MODEL', 'BILLING', 'STATE'], rows, {
      columns: io.terminal.outColumns,
    }),
  );
  return EXIT.done;
}
