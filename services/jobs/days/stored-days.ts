import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { fileFormats } from '../../../shared/control/exports/file-format.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import { dayMark, daysPrefix } from '../../../shared/reads/exports/day-requests.js';
import { DAY_MANIFEST, dayFileName } from './store-day.js';

/** Reads a website's stored days. */

/** Bytes of files by key. */
export type Files = ReadonlyMap<string, number>;

export const hasFile = (there: Files, prefix: string) =>
  fileFormats.some((format) => there.has(`${prefix}${dayFileName(format)}`));

/** Folders with a manifest but no file, except those that can be stored again; the oldest first. */
export function lostDays(there: Files, mendable: ReadonlySet<string>): string[] {
  return [...there.keys()]
    .filter((key) => key.endsWith(`/${DAY_MANIFEST}`))
    .map((key) => key.slice(0, -DAY_MANIFEST.length))
    .filter((prefix) => !mendable.has(prefix) && !hasFile(there, prefix))
    .sort();
}

/** The fields of a manifest that are read again. */
const manifest = z.object({ file: z.string(), rows: z.number(), bytes: z.number(), stored: dayMark });

export function createStoredDays(store: FileStore) {
  return {
    /** The manifest; null: it is missing or unreadable. */
    async readManifest(prefix: string) {
      const key = `${prefix}${DAY_MANIFEST}`;
      if ((await store.stat(key)) === null) return null;
      const content = await text(await store.open(key));
      const read = manifest.safeParse(jsonOrNull(content));
      return read.success ? read.data : null;
    },

    /** Removes files of other formats, from an earlier schedule whose removal may have been interrupted. */
    async removeOthers(prefix: string, name: string): Promise<void> {
      for await (const { key } of store.list(`${prefix}requests.`))
        if (key !== `${prefix}${name}`) await store.remove(key);
    },

    async filesThere(websiteId: string): Promise<Files> {
      const files = new Map<string, number>();
      for await (const { key, bytes } of store.list(daysPrefix(websiteId))) files.set(key, bytes);
      return files;
    },
  };
}

function jsonOrNull(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
