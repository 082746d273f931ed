/** Steps that are undone in reverse order. */
export interface ShutdownHooks {
  add(step: () => Promise<void>): void;
  /** Continues after a failed step. @throws the first failure, when all steps are undone. */
  run(): Promise<void>;
  /** Reports a failure outside the steps: `run` continues, and throws it at the end. */
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
