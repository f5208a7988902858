import type { WorkerFacts } from '../../src/cli/doctor/worker-report.ts';
import { reportOn } from '../../src/cli/doctor/worker-report.ts';
import { claude } from '../../src/workers/adapters/claude.ts';
import { NOW } from './a-cooldown.ts';
import { aWorker } from './builders.ts';

/** What the doctor knows of a worker that is as it should be. */
const facts = (overrides: Partial<WorkerFacts> = {}): WorkerFacts => ({
  ...{ worker: aWorker({ id: 'claude' }), adapter: claude, program: { path: '/usr/local/bin/claude' } },
  check: { starts: true, version: '2.1.197', login: { type: 'in', how: 'claude.ai, max' } },
  ...{ captured: ['2.1.197'], cooldown: undefined, health: undefined, quota: undefined },
  ...overrides,
});

export const report = (overrides: Partial<WorkerFacts>) => reportOn(facts(overrides), NOW, 'UTC');

export const starts = (version: string) =>
  ({ starts: true, version, login: { type: 'in', how: 'claude.ai' } }) as const;
