import { readFile } from 'node:fs/promises';
import { type Credentials, credentialsSchema } from '../admin/server/demo-organisation.js';

/** What ends the demo early: one line for the person at the terminal, and the process's exit code. */
export class DemoFailure extends Error {
  constructor(
    message: string,
    readonly exitCode = 2,
  ) {
    super(message);
  }
}

/** The running installation that the demo sends to. */
export interface Instance {
  ingestUrl: string;
  ingestKey: string;
  /** For reading back; null where only an ingest address and key are known. */
  api: ApiAccess | null;
}

export interface ApiAccess {
  baseUrl: string;
  websiteId: string;
  apiKey: string;
}

/**
 * The instance that the credentials file opens. `url` and `key` stand in for its ingest address and key;
 * with both of them the file may be missing, and with another key than the file's nothing is read back,
 * since that key may belong to another website.
 * @throws DemoFailure where the file is needed and can't be used.
 */
export async function findInstance(
  credentialsPath: string,
  { url, key }: { url?: string | undefined; key?: string | undefined },
): Promise<Instance> {
  const credentials = await readCredentials(credentialsPath, url === undefined || key === undefined);
  if (credentials === null) return { ingestUrl: url!, ingestKey: key!, api: null };
  const isOtherWebsite = key !== undefined && key !== credentials.ingest_key;
  return {
    ingestUrl: url ?? credentials.ingest_url,
    ingestKey: key ?? credentials.ingest_key,
    api: isOtherWebsite
      ? null
      : { baseUrl: credentials.base_url, websiteId: credentials.website_id, apiKey: credentials.api_key },
  };
}

async function readCredentials(path: string, isNeeded: boolean): Promise<Credentials | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (!isNeeded) return null;
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : `can't be read: ${error}`;
    throw new DemoFailure(
      `${path} ${reason}; start Loglane with \`npm start\` first, or give --credentials, or --url and --key`,
    );
  }
  try {
    return credentialsSchema.parse(JSON.parse(text));
  } catch {
    throw new DemoFailure(`${path} is no credentials file of Loglane`);
  }
}
