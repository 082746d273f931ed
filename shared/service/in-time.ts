/** What the promise resolves to; `otherwise` where it rejects, or has not resolved within `ms` milliseconds. */
export async function inTime<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  return Promise.race([promise.catch(() => otherwise), late]).finally(() => clearTimeout(timer));
}
