import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A store with S3's protocol and one bucket, in a temporary folder. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);

/**
 * @param options.anySignature true: it accepts any signature. For a listing it checks the signature of the
 * path without the last slash, while AWS and the client include the slash.
 */
export async function startS3Server({ anySignature = false } = {}): Promise<S3Server> {
  const Server = require('@20minutes/s3rver') as new (options: object) => S3rver;
  const directory = await mkdtemp(join(tmpdir(), 'loglane-s3-'));
  const bucket = 'loglane-files';
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    allowMismatchedSignatures: anySignature,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    async stop() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
