/** Resolves as the promise does, or to `otherwise` if it rejects or takes longer than `ms` milliseconds. */
export function inTime<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  return within(promise, ms, () => new Error('late')).catch(() => otherwise);
}

/** Resolves as the promise does. @throws its rejection, or the error of `late` after `ms` milliseconds. */
export async function within<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  return Promise.race([promise, passed]).finally(() => clearTimeout(timer));
}
