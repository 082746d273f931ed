import { type Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause before the repeat of a call that answers `data_buffering`. */
const BUFFERING_MS = 50;

/** Asks for an answer. A call that answers `data_buffering` is repeated until it has its answer, and counts once. */
export async function askUntilAnswered(
  agent: Agent,
  url: string,
  apiKey: string,
): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  for (;;) {
    const { status, isBuffering } = await ask(agent, url, apiKey);
    if (status !== 200 || !isBuffering) return { status, ms: performance.now() - started };
    await sleep(BUFFERING_MS);
  }
}

/** A call whose connection fails has status 0. */
function ask(agent: Agent, url: string, apiKey: string): Promise<{ status: number; isBuffering: boolean }> {
  return new Promise((done) => {
    const fail = () => done({ status: 0, isBuffering: false });
    get(url, { agent, headers: { authorization: `Bearer ${apiKey}` } }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response.resume();
      response.once('error', fail);
      response.once('end', () => done({ status, isBuffering: headers['retry-after'] !== undefined }));
    }).once('error', fail);
  });
}
