/** What the promise resolves to; `otherwise` where it rejects, or has not resolved within `ms` milliseconds. */
export function inTime<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  return within(promise, ms, () => new Error('late')).catch(() => otherwise);
}

/** As the promise. @throws what it rejects with; the error of `late` where it has not settled within `ms` milliseconds. */
export async function within<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  return Promise.race([promise, passed]).finally(() => clearTimeout(timer));
}
