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
  /** Where files are a folder's: then the API serves them. */
  readonly local: LocalFiles | null;
}

/**
 * The file store that the configuration names: a bucket; else a folder. A process of its own has no folder unless FILES_DIR names one, since the others
 * would not see it.
 * @param base address of the API as customers see it. @param now milliseconds since the epoch.
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
  // The client is loaded where it is used: it takes 30 MB.
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
