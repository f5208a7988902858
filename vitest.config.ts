import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['selftests/**/*.test.ts'],
    exclude: ['selftests/live/**'],
    testTimeout: 30_000,
    // Real children and locks share two cores in CI: more workers than that only adds noise.
    maxWorkers: 2,
  },
});
