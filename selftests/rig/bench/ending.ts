import { statSync } from 'node:fs';
import { join } from 'node:path';
import { act, scriptOn } from './acting.ts';
import type { Budget } from './budget.ts';
import type { Ground } from './ground.ts';
import { placeOn } from './ground.ts';
import { byTurns, cost } from './timing.ts';

/** A window that closed, as Claude Code 2.1.197 says it. */
const SURE_SIGN = `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":4102444800,"rateLimitType":"five_hour"}}`;

/** From the moment at which a child says the first sure sign: until all of it is gone, and until the next one runs. */
export async function ending(ground: Ground): Promise<readonly Budget[]> {
  const mark = (name: string) => join(ground.folder, name);
  const refused = `: > "${mark('sign')}"; echo '${SURE_SIGN}'; exec sleep 60`;
  const told = { adapter: 'claude', script: scriptOn(ground, 'refused', refused) };
  const place = placeOn(ground, 'ending');
  place.fake('claude', refused);
  place.fake('codex', `: > "${mark('next')}"; ${CODEX_INSTANT}`);
  const at = (name: string) => statSync(mark(name)).mtimeMs;
  const figures = await byTurns(ground.rounds(15), {
    gone: async () => {
      const { outcome = '', over = NaN } = await act(ground, 'ours', told);
      if (outcome !== 'rate-limit') throw new Error(`the sure sign was read as ${outcome}`);
      return over - at('sign');
    },
    next: async () => {
      await cost(place.product('run', '--ignore-cooldown', '--quiet', '-w', 'claude,codex', 'x'));
      return at('next') - at('sign');
    },
  });
  return [
    {
      ...{ name: 'first sure sign to group gone', unit: 'ms', figures: figures.gone },
      ...{ goal: { atMost: 50 }, digits: 1 },
    },
    { name: 'first sure sign to the next child', unit: 'ms', figures: figures.next, digits: 1 },
  ];
}

const CODEX_INSTANT = `echo '{"type":"thread.started","thread_id":"5a1de5a1-0000-4000-8000-000000000000"}'
echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"Done."}}'
echo '{"type":"turn.completed"}'`;
