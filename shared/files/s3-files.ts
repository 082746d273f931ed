import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  checkFileKey,
  type FileStore,
  FileStoreError,
  LONGEST_LINK_MS,
  type PutOptions,
} from './file-store.js';

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Absent: AWS. */
  readonly endpoint?: string | undefined;
  /** Absent: credentials of the environment (such as the machine's role). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Longest time without a byte in either direction, in milliseconds; default a minute. */
  readonly silenceMs?: number;
}

/** Each part is buffered, and two are in progress. A file has at most 10,000 parts: 160 GB. */
const PART_BYTES = 16 * 1024 ** 2;
const PARTS_AT_ONCE = 2;
const CONNECT_MS = 10_000;
const SILENCE_MS = 60_000;

/** A bucket on AWS or another store with the S3 protocol. @returns the store; `close` releases its connections. */
export function openS3Files(options: S3Options): FileStore & { close(): void } {
  const { bucket: Bucket, now } = options;
  const client = new S3Client({
    region: options.region,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    // Bucket in the path: a store with a plain host name or address has no subdomains.
    forcePathStyle: true,
    // Otherwise the client sends checksums that stores other than AWS refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
    // Timeout of the socket, not of the request: a large part may take longer.
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: options.silenceMs ?? SILENCE_MS },
  });

  /** Converts errors. @param work gets the abort signal. */
  async function attempt<T>(
    what: string,
    work: (given: { abortSignal?: AbortSignal }) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    signal?.throwIfAborted();
    try {
      return await work(signal === undefined ? {} : { abortSignal: signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw new FileStoreError(`the bucket did not ${what}`, { cause: error });
    }
  }

  return {
    put: async (key, bytes, options) => upload(client, { Bucket, Key: checkFileKey(key) }, bytes, options),
    async stat(key) {
      try {
        const { ContentLength = 0, LastModified } = await client.send(
          new HeadObjectCommand({ Bucket, Key: checkFileKey(key) }),
        );
        return { key, bytes: ContentLength, modifiedAt: LastModified?.getTime() ?? 0 };
      } catch (error) {
        if (error instanceof NotFound || error instanceof NoSuchKey) return null;
        throw new FileStoreError('the bucket did not report whether the file exists', { cause: error });
      }
    },
    async open(key) {
      const command = new GetObjectCommand({ Bucket, Key: checkFileKey(key) });
      const { Body } = await attempt('return the file', () => client.send(command));
      if (!(Body instanceof Readable)) throw new FileStoreError('the bucket returned no bytes');
      return Body;
    },
    link(key, { expiresAt, name }) {
      const leftMs = Math.min(Math.max(expiresAt - now(), 1_000), LONGEST_LINK_MS);
      const command = new GetObjectCommand({
        Bucket,
        Key: checkFileKey(key),
        ResponseContentDisposition: `attachment; filename="${name}"`,
      });
      return getSignedUrl(client, command, { expiresIn: Math.floor(leftMs / 1000) });
    },
    async *list(prefix, { signal } = {}) {
      let ContinuationToken: string | undefined;
      do {
        const command: ListObjectsV2Command = new ListObjectsV2Command({
          Bucket,
          Prefix: prefix,
          ...(ContinuationToken === undefined ? {} : { ContinuationToken }),
        });
        const page = await attempt('list its files', (given) => client.send(command, given), signal);
        for (const { Key, Size = 0, LastModified } of page.Contents ?? [])
          if (Key !== undefined) yield { key: Key, bytes: Size, modifiedAt: LastModified?.getTime() ?? 0 };
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },
    async remove(key, { signal } = {}) {
      const command = new DeleteObjectCommand({ Bucket, Key: key });
      await attempt('remove the file', (given) => client.send(command, given), signal);
    },
    close: () => client.destroy(),
  };
}

async function upload(
  client: S3Client,
  place: { readonly Bucket: string; readonly Key: string },
  bytes: Readable,
  { contentType, signal }: PutOptions,
): Promise<void> {
  signal?.throwIfAborted();
  // An error of the source stream is rethrown instead of an error of the bucket.
  let broken: Error | undefined;
  bytes.once('error', (error) => {
    broken = error;
  });
  const uploading = new Upload({
    client,
    params: { ...place, Body: bytes, ContentType: contentType },
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
  });
  const giveUp = () => {
    bytes.destroy(signal?.reason as Error);
    void uploading.abort().catch(() => {});
  };
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await uploading.done();
  } catch (error) {
    await uploading.abort().catch(() => {});
    if (signal?.aborted) throw signal.reason;
    throw broken ?? new FileStoreError('the bucket did not store the file', { cause: error });
  } finally {
    signal?.removeEventListener('abort', giveUp);
    bytes.destroy();
  }
}
