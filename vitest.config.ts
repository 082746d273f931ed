import { defineConfig } from 'vitest/config';
import { reportParts } from './test/report-parts.js';

/** NIGHTLY: the long suites too, and property tests with all their runs (CONTRIBUTING.md). */
const nightly = process.env.NIGHTLY !== undefined;

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**', ...(nightly ? [] : ['**/*.nightly.test.ts'])],
    // Two cores carry three workers: suites with several processes mostly wait.
    maxWorkers: 3,
    reporters: [reportParts(), 'default'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
