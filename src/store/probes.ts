import type { DurationMs, EpochMs } from '../core/time.ts';
import { durationMs, epochMs, fromIso, MINUTE, SECOND, toIso } from '../core/time.ts';
import type { Clock } from '../system/clock.ts';
import type { SavedProbes } from './probes-schema.ts';
import { openStateFile } from './state-file.ts';

/** How long an answer serves everybody who asks the same. */
const FRESH: DurationMs = durationMs(5 * SECOND);
/** How long another process may take over the same question: longer than any probe may. */
const PATIENCE: DurationMs = durationMs(30 * SECOND);

export interface Probes {
  /**
   * The answer to a question that takes a while and that many processes may have at once: one of them asks, and the
   * others take its answer for seconds. `read` gives `undefined` for what is no answer of ours. Where the answer cannot
   * be shared (a read-only disk) each asks for itself, as a probe must never be in the way.
   */
  once<Answer>(
    key: string,
    read: (saved: unknown) => Answer | undefined,
    ask: () => Promise<Answer>,
  ): Promise<Answer>;
}

export function openProbes({ home, clock }: { readonly home: string; readonly clock: Clock }): Probes {
  const file = openStateFile<SavedProbes>({
    ...{
      path: `${home}/probes.json`,
      version: 1,
      clock,
      empty: { answers: [] },
      waitAtMost: durationMs(2 * SECOND),
    },
    check: async () => (await import('./probes-schema.ts')).checkProbes,
    // What is in it is seconds old at most and worth no word.
    report: () => undefined,
  });

  async function known<Answer>(
    key: string,
    read: (saved: unknown) => Answer | undefined,
  ): Promise<Answer | undefined> {
    const saved = await file.read();
    const found = saved.ok ? saved.value.answers.find((one) => one.key === key) : undefined;
    const age = found === undefined ? Infinity : clock.now() - (fromIso(found.at) ?? epochMs(0));
    return age >= 0 && age < FRESH ? read(found?.answer) : undefined;
  }

  async function keep(key: string, answer: unknown): Promise<void> {
    const at: EpochMs = clock.now();
    const isRecent = (text: string): boolean => Math.abs(at - (fromIso(text) ?? 0)) < MINUTE;
    await file.update((saved) => {
      const others = saved.answers.filter((one) => one.key !== key && isRecent(one.at));
      return { state: { ...saved, answers: [...others, { key, at: toIso(at), answer }] }, value: undefined };
    });
  }

  return {
    async once(key, read, ask) {
      const { whileAlone } = await import('./alone.ts');
      const answer = await whileAlone(`${home}/probe-${key}`, { clock, waitAtMost: PATIENCE }, async () => {
        const before = await known(key, read);
        if (before !== undefined) return before;
        const fresh = await ask();
        await keep(key, fresh);
        return fresh;
      });
      return answer.ok ? answer.value : ask();
    },
  };
}
