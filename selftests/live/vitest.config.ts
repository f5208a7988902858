import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** CI adds the reports of its steps up. */
const report = process.env['SECONDWIND_TEST_REPORT'];

/** The live tests start real CLIs, which take the machine to themselves: never a part of `npm test`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['selftests/live/*.test.ts'],
    globalSetup: ['selftests/live/setup.ts'],
    testTimeout: 60_000,
    maxWorkers: 1,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
