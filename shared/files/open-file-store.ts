import { join } from 'node:path';
import { type Config, ConfigError } from '../config.js';
import type { FileStore } from './file-store.js';
import { type LocalFiles, openLocalFiles } from './local-files.js';

export type FilesConfig = Pick<
  Config,
  | 'DATA_DIR'
  | 'FILES_DIR'
  | 'KAFKA_BROKERS'
  | 'S3_BUCKET'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
>;

export interface OpenedFiles {
  readonly store: FileStore;
  /** Set if files are stored in a folder: the API then serves them. */
  readonly local: LocalFiles | null;
}

/**
 * Opens the configured file store: a bucket, else a folder. Separate services have no folder without FILES_DIR, since
 * they would not share it.
 * @param base URL of the API as customers see it
 * @param now milliseconds since the epoch
 * @returns null: this installation stores no files. @throws ConfigError
 */
export async function openFileStore(
  config: FilesConfig,
  { base, now }: { readonly base: string; readonly now: () => number },
): Promise<OpenedFiles | null> {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (bucket === undefined) {
    if (config.FILES_DIR === undefined && config.KAFKA_BROKERS !== undefined) return null;
    const local = await openLocalFiles(config.FILES_DIR ?? join(config.DATA_DIR, 'files'), base);
    return { store: local, local };
  }
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new ConfigError('configuration: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together');
  // Loaded on demand: the client takes 30 MB.
  const { openS3Files } = await import('./s3-files.js');
  const store = openS3Files({
    bucket,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
    now,
  });
  return { store, local: null };
}
