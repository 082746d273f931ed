import { z } from '@hono/zod-openapi';
import type { Export } from '../../../../shared/control/domain/model.js';
import { exportStatuses } from '../../../../shared/control/domain/model.js';
import { PublicError } from '../../../../shared/errors.js';
import { linkOfExport } from '../../../../shared/files/export-link.js';
import type { FileStore } from '../../../../shared/files/file-store.js';
import { instant } from '../../../../shared/reads/answer/instant.js';
import { ignoredOf } from '../../../../shared/reads/exports/question.js';
import type { ApiServices } from '../../operation/operation.js';

export const TAG = 'Exports';
/** Limit of exports and reports together. */
export const tooMany = {
  conflict: 'Too many exports of the website are waiting, or the stored exports are too many or too large.',
  conflictCodes: ['too_many_open_exports', 'too_many_exports', 'too_many_export_bytes'],
} as const;
export const NO_SUCH_EXPORT =
  'Export not found: no export has this id, it has expired, or another caller requested it.';

/** A requested file (spec §2.7). */
export const exportJob = z
  .object({
    job_id: z.string().openapi({ example: 'exp_5dfba9c466412323c1bdf293' }),
    export_type: z.string().openapi({ example: 'paths' }),
    status: z.enum(exportStatuses).openapi({
      description:
        'pending: the export waits for a free slot or its next attempt. processing: the file is being made.',
    }),
    row_count: z
      .int()
      .nullable()
      .openapi({ description: 'Rows of a completed file; for a report, its findings. null until then.' }),
    file_size_bytes: z
      .int()
      .nullable()
      .openapi({ description: 'Size of the completed file as it is stored. null until then.' }),
    sha256: z
      .string()
      .nullable()
      .openapi({ description: 'SHA-256 of the completed file, hexadecimal. null until then.' }),
    created_at: instant,
    completed_at: instant
      .nullable()
      .openapi({ description: 'When the export ended, with or without a file.' }),
    error: z
      .string()
      .nullable()
      .openapi({ description: 'Why there is no file; null if there is one, or one is being made.' }),
    filters: z.string().openapi({
      description: 'The filters and the format of the file, as JSON.',
      example: '{"hours":720,"status":"4xx"}',
    }),
    ignored_filters: z.array(z.string()).openapi({
      description: 'Filters of the request that had no effect.',
    }),
    description: z.string().openapi({ example: 'Paths, 2026-11-01 to 2026-11-22, status 4xx' }),
    download_url: z.string().nullable().openapi({
      description:
        'The link of a completed export. It needs no key and works for seven days after completion. Anyone with the link can download the file.',
    }),
    expires_at: instant.nullable().openapi({
      description: 'When an ended export leaves the list and its file is deleted. null until it has ended.',
    }),
  })
  .openapi('ExportJob');

/** @param expiry milliseconds since the epoch; null: the export has not ended. */
export async function toExportJob(
  stored: Export,
  { store, expiry }: { readonly store: FileStore | null; readonly expiry: number | null },
): Promise<z.input<typeof exportJob>> {
  return {
    job_id: stored.id,
    export_type: stored.exportType,
    status: stored.status,
    row_count: stored.file?.rows ?? null,
    file_size_bytes: stored.file?.bytes ?? null,
    sha256: stored.file?.sha256 ?? null,
    created_at: stored.createdAt,
    completed_at: stored.completedAt,
    error: stored.error,
    filters: stored.filters,
    ignored_filters: [...ignoredOf(stored.question)],
    description: stored.description,
    download_url: store === null ? null : await linkOfExport(store, stored),
    expires_at: expiry === null ? null : new Date(expiry).toISOString(),
  };
}

/** @throws PublicError unavailable if this installation stores no files. */
export function fileStoreOf({ files }: Pick<ApiServices, 'files'>): FileStore {
  if (files === null)
    throw new PublicError(
      'unavailable',
      'This installation stores no files: its operator has set neither S3_BUCKET nor FILES_DIR.',
    );
  return files.store;
}
