import type { Worker } from '../core/worker.ts';
import type { StartFailure } from '../system/spawn.ts';
import { evidence } from '../signals/evidence.ts';
import type { Adapter, Verdict } from './adapter.ts';

/**
 * Judges a child that could not be started. `E2BIG` is the task's fault and `EAGAIN`, `ENOMEM`, `EMFILE` are the
 * machine's: neither says anything about the worker.
 */
export function cannotStart(adapter: Adapter, worker: Worker, failure: StartFailure): Verdict {
  const { code, message, lacksFolder } = failure;
  const program = worker.command?.[0] ?? adapter.program;
  const said = evidence(message);
  // The agent itself may have removed it: then every worker of the fleet would seem not to be installed.
  if (lacksFolder === true) {
    const reason = 'the folder it was to work in is not there any more';
    return { type: 'failed', reason, evidence: said, recognised: true };
  }
  switch (code) {
    case 'ENOENT':
    case 'EACCES':
    case 'ENOEXEC':
    case 'EPERM':
      return {
        type: 'refused',
        signal: {
          ...{
            kind: 'cli-unavailable',
            scope: 'seat',
            resetAt: undefined,
            untilCleared: false,
            source: 'event',
          },
          ...{ reason: `${program} cannot be started (${code})`, evidence: said },
        },
      };
    case 'E2BIG':
      return {
        type: 'failed',
        reason: 'the task is too long for a command line',
        evidence: said,
        recognised: true,
      };
    default:
      return {
        type: 'failed',
        reason: `${program} could not be started (${code})`,
        evidence: said,
        recognised: true,
      };
  }
}
