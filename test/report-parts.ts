import type { Reporter, TestModule } from 'vitest/node';

/** Kinds of suites, by path; the first that matches. */
const KINDS: readonly (readonly [kind: string, path: RegExp])[] = [
  ['nightly suites', /\.nightly\.test\.ts$/],
  ['Kafka', /test\/faults\/|event-log\/kafka\/.*\.int\./],
  ['truth', /test\/truth\//],
  ['contract', /test\/contract\//],
  ['end to end', /test\/end-to-end\//],
  ['engine', /\.int\.test\.ts$/],
  ['unit and property', /./],
];

/** Prints how long each kind of suite took, summed over the workers, and the slowest files. */
export function reportParts(): Reporter {
  return {
    onTestRunEnd(modules: ReadonlyArray<TestModule>) {
      const files = modules.map((module) => {
        const { collectDuration, duration, setupDuration } = module.diagnostic();
        return {
          path: module.relativeModuleId,
          seconds: (collectDuration + duration + setupDuration) / 1_000,
        };
      });
      const sums = new Map<string, number>();
      for (const { path, seconds } of files) {
        const [kind] = KINDS.find(([, pattern]) => pattern.test(path))!;
        sums.set(kind, (sums.get(kind) ?? 0) + seconds);
      }
      const line = (name: string, seconds: number) => `  ${seconds.toFixed(1).padStart(8)} s  ${name}\n`;
      const longest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 20);
      process.stdout.write(
        `\nSeconds of all workers, by kind of suite:\n${[...sums].map(([kind, seconds]) => line(kind, seconds)).join('')}` +
          `Longest files:\n${longest.map(({ path, seconds }) => line(path, seconds)).join('')}`,
      );
    },
  };
}
