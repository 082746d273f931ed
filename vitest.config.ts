import { defineConfig } from 'vitest/config';
import { reportParts } from './test/report-parts.js';

/** NIGHTLY: the long suites too, and property tests with all their runs (CONTRIBUTING.md). */
const nightly = process.env.NIGHTLY !== undefined;

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**', ...(nightly ? [] : ['**/*.nightly.test.ts'])],
    // A worker loads each module once, not once for each file.
    isolate: false,
    // Two cores carry four workers: suites with several processes mostly wait.
    maxWorkers: 4,
    reporters: [reportParts(), 'default'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
