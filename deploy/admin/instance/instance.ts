import { request } from 'node:http';
import { adminSocketPath } from '../server/admin-server.js';

/** Connects the command line to the running instance. */

export interface Instance {
  /**
   * @returns the answer's JSON.
   * @throws AdminError with a message for the operator.
   */
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
}

/** An error with a message for the operator, in one line. */
export class AdminError extends Error {}

/** Connects to the instance that runs on this data directory. */
export function connectInstance(dataDir: string): Instance {
  const socketPath = adminSocketPath(dataDir);
  return {
    get: (path) => send({ socketPath, dataDir, method: 'GET', path }),
    post: (path, body) => send({ socketPath, dataDir, method: 'POST', path, body: JSON.stringify(body) }),
  };
}

interface Call {
  readonly socketPath: string;
  readonly dataDir: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

async function send({ dataDir, ...call }: Call): Promise<unknown> {
  let response: { status: number; text: string };
  try {
    response = await exchange(call);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED')
      throw new AdminError(`Loglane is not running on ${dataDir}: start it with npm start, or set DATA_DIR`);
    if (code === 'EACCES') throw new AdminError(`the data in ${dataDir} belongs to another user`);
    throw new AdminError(`the running instance did not answer: ${message}`);
  }
  const answer = JSON.parse(response.text);
  if (response.status >= 400) throw new AdminError(answer.detail);
  return answer;
}

function exchange({ body, ...options }: Omit<Call, 'dataDir'>): Promise<{ status: number; text: string }> {
  return new Promise((done, fail) => {
    const outgoing = request({ ...options, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', fail);
      incoming.on('end', () =>
        done({ status: incoming.statusCode!, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}
