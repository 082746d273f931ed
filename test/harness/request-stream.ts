/** Uploads whose rows contain their upload's name, for tests that count them afterwards. */

export const LINES_PER_UPLOAD = 100;

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
];

/** Loglane JSON; each line's request_id is `<upload>-<number>`. Some rows for every rollup. */
export function linesOf(upload: string): string {
  const now = Date.now();
  return Array.from({ length: LINES_PER_UPLOAD }, (_, i) =>
    JSON.stringify({
      timestamp: new Date(now - i * 1000).toISOString(),
      client_ip: `203.0.113.${i % 250}`,
      method: 'GET',
      path: `/p/${i % 50}${i % 5 === 0 ? '?page=2' : ''}`,
      status: [200, 200, 404, 403, 500][i % 5],
      bytes_sent: i,
      user_agent: agents[i % agents.length],
      referrer: i % 7 === 0 ? 'https://chatgpt.com/' : '',
      request_id: `${upload}-${i}`,
    }),
  ).join('\n');
}

/**
 * Resolves with the number of accepted requests; null if the upload was refused or its answer lost.
 * @param name name of the upload, with which a repeat counts once
 */
export async function sendUpload(
  { ingest_url, ingest_key }: { ingest_url: string; ingest_key: string },
  body: string,
  name?: string,
): Promise<number | null> {
  const headers = { 'x-api-key': ingest_key, ...(name === undefined ? {} : { 'idempotency-key': name }) };
  try {
    const response = await fetch(ingest_url, { method: 'POST', headers, body });
    const answer = (await response.json()) as { accepted: number };
    return response.status === 200 ? answer.accepted : null;
  } catch {
    return null;
  }
}
