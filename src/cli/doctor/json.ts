import type { EpochMs } from '../../core/time.ts';
import { between, toIso } from '../../core/time.ts';
import { savedAnswer } from '../../workers/quota-answer.ts';
import type { Examination } from './examine.ts';
import type { Finding } from './finding.ts';
import { worst } from './finding.ts';
import type { WorkerReport } from './worker-report.ts';

/** The examination as `doctor --json` prints it: stable, and documented in the README. What is not known is `null`. */
export function examinationJson(seen: Examination): Record<string, unknown> {
  const parts = { configuration: seen.configuration, state: seen.state, clock: seen.clock, node: seen.node };
  return {
    at: toIso(seen.at),
    workers: seen.workers.map((report) => workerJson(report, seen.at)),
    ...Object.fromEntries(
      Object.entries(parts).map(([name, findings]) => [
        name,
        { level: worst(findings), findings: all(findings) },
      ]),
    ),
  };
}

function workerJson({ facts, level, canRun, findings }: WorkerReport, now: EpochMs): Record<string, unknown> {
  const { worker, program, check, captured, cooldown, health, quota } = facts;
  const version = check?.starts === true ? check.version : undefined;
  return {
    ...{
      worker: worker.id,
      adapter: worker.adapter,
      seat: worker.seat,
      model: worker.model ?? null,
      level,
      canRun,
    },
    path: 'path' in program ? program.path : null,
    version: version ?? null,
    versionCaptured: version !== undefined && captured.includes(version),
    login: check?.starts === true ? check.login : null,
    cooldown:
      cooldown === undefined
        ? null
        : {
            ...{
              kind: cooldown.kind,
              reason: cooldown.reason,
              source: cooldown.source,
              since: toIso(cooldown.since),
            },
            until: cooldown.until === undefined ? null : toIso(cooldown.until),
            remainingMs: cooldown.until === undefined ? null : between(now, cooldown.until),
          },
    health:
      health === undefined
        ? null
        : {
            cause: health.cause,
            failures: health.failures,
            at: toIso(health.at),
            until: toIso(health.until),
          },
    quota: quota === undefined ? null : savedAnswer(quota),
    findings: all(findings),
  };
}

function all(findings: readonly Finding[]): readonly Record<string, unknown>[] {
  return findings.map(({ level, text, advice }) => ({ level, text, advice: advice ?? null }));
}
