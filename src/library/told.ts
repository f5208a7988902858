import type { KnownWorker } from '../core/worker.ts';
import type { Outcome } from '../fleet/dispatch.ts';
import type { Skipped } from '../fleet/order.ts';
import type { Standing } from '../fleet/standing.ts';

// What leaves the library tells of workers without how they are started: somebody writes an outcome into a log, and the
// keys of a worker's `env` with it.

export function toldWorker(worker: KnownWorker): KnownWorker {
  const { id, adapter, seat, workspace, model, billing, shareTranscripts, maxConcurrent } = worker;
  return { id, adapter, seat, workspace, model, billing, shareTranscripts, maxConcurrent };
}

export function toldOutcome(outcome: Outcome): Outcome {
  switch (outcome.type) {
    case 'done':
    case 'failed':
      return { ...outcome, worker: toldWorker(outcome.worker) };
    case 'exhausted': {
      const { earliest } = outcome;
      return {
        ...{ type: 'exhausted', skipped: outcome.skipped.map(toldSkipped) },
        earliest: earliest && { ...earliest, worker: toldWorker(earliest.worker) },
      };
    }
    case 'unavailable':
      return { type: 'unavailable', skipped: outcome.skipped.map(toldSkipped) };
    case 'stopped':
      return outcome;
  }
}

export function toldStanding(standing: Standing): Standing {
  const worker = toldWorker(standing.worker);
  return standing.type === 'candidate'
    ? { ...standing, worker }
    : { ...standing, worker, why: toldSkipped(standing.why) };
}

function toldSkipped(skipped: Skipped): Skipped {
  return { ...skipped, worker: toldWorker(skipped.worker) };
}
