import { defineConfig } from 'vitest/config';

const report = process.env['SECONDWIND_TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['selftests/**/*.test.ts'],
    exclude: ['selftests/live/**'],
    // A bound for what hangs, not a measure: properties and real children on a busy machine take their time.
    testTimeout: 120_000,
    // Real children and locks share two cores in CI: more workers than that only adds noise.
    maxWorkers: 2,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
