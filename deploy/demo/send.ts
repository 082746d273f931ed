import { DemoFailure } from './failure.js';
import type { Upload } from './uploads.js';

export interface Sent {
  accepted: number;
  rejected: number;
  /** The instance's word on the first rejected line; '' for none. */
  firstError: string;
}

export interface SenderOptions {
  ingestUrl: string;
  ingestKey: string;
  fetch: typeof fetch;
  /** Resolves after so many milliseconds. */
  sleep: (ms: number) => Promise<unknown>;
}

const MOST_ATTEMPTS = 8;
const LONGEST_WAIT_MS = 30_000;

/**
 * Posts uploads. An instance that is busy (503, 429), restarting or briefly gone is asked again after the
 * time that it names, up to eight times. A connection that breaks while an answer is due is not tried
 * again: the instance may have taken the upload, and nothing in the demo may count twice.
 * @throws DemoFailure in one line a person can act on.
 */
export function createSender({ ingestUrl, ingestKey, fetch, sleep }: SenderOptions) {
  let hasAnswered = false;

  async function post({ body, contentType }: Upload): Promise<Response | 'refused'> {
    try {
      const response = await fetch(ingestUrl, {
        method: 'POST',
        headers: {
          'x-api-key': ingestKey,
          'content-type': contentType,
          'content-encoding': 'gzip',
        },
        // A view of the bytes: fetch takes no Buffer by its type.
        body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) as Uint8Array<ArrayBuffer>,
      });
      hasAnswered = true;
      return response;
    } catch (error) {
      const reason = reasonOf(error);
      if (hasAnswered && reason === 'ECONNREFUSED') return 'refused';
      throw new DemoFailure(
        'unreachable',
        hasAnswered
          ? `the connection to ${ingestUrl} broke (${reason}); its last uploads may or may not be stored`
          : `nothing answers at ${ingestUrl} (${reason}); start Loglane with \`npm start\` first`,
      );
    }
  }

  return async function send(upload: Upload): Promise<Sent> {
    for (let attempt = 1; ; attempt++) {
      const response = await post(upload);
      if (response !== 'refused' && response.status !== 503 && response.status !== 429) {
        return readAnswer(response, ingestUrl);
      }
      if (attempt === MOST_ATTEMPTS) {
        const what = response === 'refused' ? 'refuses connections' : `answers ${response.status}`;
        throw new DemoFailure('incomplete', `${ingestUrl} still ${what} after ${MOST_ATTEMPTS} attempts`);
      }
      await sleep(response === 'refused' ? 1_000 * attempt : await waitNamedBy(response, attempt));
    }
  };
}

/** What an instance may answer; anything else about it is not relied on. */
interface Answer {
  accepted?: unknown;
  rejected?: unknown;
  errors?: unknown;
  detail?: unknown;
}

async function readAnswer(response: Response, ingestUrl: string): Promise<Sent> {
  const text = await response.text();
  const answer = parseObject(text);
  if (response.status === 401 || response.status === 403) {
    throw new DemoFailure(
      'refused',
      `${ingestUrl} refused the key (${response.status}: ${detailOf(answer, text)}); is the credentials file the running instance's?`,
    );
  }
  if (response.status !== 200 || typeof answer.accepted !== 'number') {
    throw new DemoFailure(
      'incomplete',
      `${ingestUrl} answered ${response.status}: ${detailOf(answer, text)}`,
    );
  }
  const errors = Array.isArray(answer.errors) ? answer.errors : [];
  return {
    accepted: answer.accepted,
    rejected: typeof answer.rejected === 'number' ? answer.rejected : 0,
    firstError: errors.length > 0 ? JSON.stringify(errors[0]) : '',
  };
}

/** Retry-After in seconds, else a wait that grows with the attempts. */
async function waitNamedBy(response: Response, attempt: number): Promise<number> {
  await response.body?.cancel();
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const wanted = Number.isFinite(seconds) ? seconds * 1_000 : 500 * 2 ** (attempt - 1);
  return Math.min(wanted, LONGEST_WAIT_MS);
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? String(error);
}

function parseObject(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function detailOf(answer: Answer, text: string): string {
  return typeof answer.detail === 'string' ? answer.detail : text.slice(0, 200) || 'an empty answer';
}

/** Sends each upload, at most `atOnce` at a time; the first failure stops the rest. */
export async function sendAll(
  uploads: AsyncIterable<Upload>,
  send: (upload: Upload) => Promise<Sent>,
  { atOnce, onSent }: { atOnce: number; onSent: (sent: Sent, upload: Upload) => void },
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for await (const upload of uploads) {
    const one = send(upload).then((sent) => onSent(sent, upload));
    // The set must forget it, failed or not; the failure itself surfaces from race or all below.
    const forget = () => underWay.delete(one);
    underWay.add(one);
    one.then(forget, () => undefined);
    if (underWay.size >= atOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}
