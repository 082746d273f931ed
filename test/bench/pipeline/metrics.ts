/** The sum of a metric's samples in Prometheus' text, over all labels; 0 if it has none. */
export function sumOfSamples(text: string, name: string): number {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/**
 * @param url of a service or of the whole program, without a path
 * @throws Error if the answer is not 200
 */
export async function readMetrics(url: string): Promise<string> {
  // A connection that was idle since the last look may be closing.
  const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}/metrics: ${response.status} ${text.slice(0, 200)}`);
  return text;
}
