/** Steps that are undone from the last to the first. */
export interface ShutdownHooks {
  add(step: () => Promise<void>): void;
  /** Goes on past a step that fails. @throws the first failure, when all are undone. */
  run(): Promise<void>;
  /** A failure beside the steps: `run` goes on, and throws it. */
  fail(error: unknown): void;
}

export function createShutdownHooks(): ShutdownHooks {
  const steps: (() => Promise<void>)[] = [];
  const failures: unknown[] = [];
  const fail = (error: unknown) => void failures.push(error);
  return {
    add: (step) => void steps.push(step),
    async run() {
      for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
        await step().catch(fail);
      }
      if (failures.length > 0) throw failures[0];
    },
    fail,
  };
}
