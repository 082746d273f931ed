import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { reportParts } from './test/report-parts.js';

/** NIGHTLY: the long suites too, and property tests with all their runs (CONTRIBUTING.md). */
const nightly = process.env.NIGHTLY !== undefined;

const suites = ['deploy', 'services', 'shared', 'test']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.test.ts') && (nightly || !file.endsWith('.nightly.test.ts')));

/** A timer that an earlier suite left would run on the clock of a suite that replaces it: those have a process of their own. */
const REPLACES_CLOCK = /useFakeTimers|harness\/jobs\/(?:service|notifications-processes)\.js/;
const onOwnClock = suites.filter((file) => REPLACES_CLOCK.test(readFileSync(file, 'utf8')));
const others = suites.filter((file) => !onOwnClock.includes(file));

export default defineConfig({
  test: {
    // Two cores carry four workers: suites with several processes mostly wait.
    maxWorkers: 4,
    reporters: [reportParts(), 'default'],
    setupFiles: ['test/harness/set-up-suite.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    projects: [
      // A worker loads each module once, not once for each file.
      { extends: true, test: { name: 'suites', include: others, isolate: false } },
      { extends: true, test: { name: 'own clock', include: onOwnClock, isolate: true } },
    ],
  },
});
