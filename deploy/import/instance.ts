import { readFile } from 'node:fs/promises';
import { type Credentials, credentialsSchema } from '../admin/server/demo-organisation.js';

/** An error that ends a command: a message of one line, and an exit code of the command line (docs/command-line.md). */
export class DemoFailure extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** The running installation that receives the uploads. */
export interface Instance {
  ingestUrl: string;
  ingestKey: string;
  /** API access; null if only an ingest address and key are known. */
  api: ApiAccess | null;
}

export interface ApiAccess {
  baseUrl: string;
  websiteId: string;
  apiKey: string;
}

/**
 * The instance of the credentials file. `url` and `key` override its ingest address and key. With both, the file may be
 * missing. With a different key there is no API access, since the key may belong to another website.
 * @throws DemoFailure if the file is needed and can't be used.
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
    throw new DemoFailure(`${path} is not a credentials file of Loglane`);
  }
}
