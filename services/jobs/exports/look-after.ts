import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { Export } from '../../../shared/control/domain/model.js';
import { wasErased } from '../../../shared/control/domain/state.js';
import { expiryOf } from '../../../shared/control/exports/export.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { type FileStore, FileStoreError, removeAll } from '../../../shared/files/file-store.js';
import type { Assignment } from '../runner/assignments.js';
import { exportPrefix } from './store-made.js';

export interface CareOptions {
  readonly control: Pick<ControlPlane, 'state' | 'execute'>;
  readonly store: FileStore;
  /** The assignment of the website's partition of `jobs`; undefined: another replica owns it. */
  readonly assignmentOf: (websiteId: string) => Assignment | undefined;
  /** Queues the message about an ended export. Repeated calls change nothing. */
  readonly tell: (over: Export) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Exports that ended earlier are no news. */
const TELL_FOR_MS = DAY_MS;
/** How often all records are checked. 100,000 of them take 45 ms. */
const LOOK_MS = MINUTE_MS;
/** This replica's state may be behind the replica that stored the file. */
const ORPHAN_MS = 10 * MINUTE_MS;
/** Limits the damage of a bug and gives time to notice it in the log. */
const MOST_SWEPT = 2_000;
/** As named in control/exports/export.ts. */
const EXPORT_ID = /^exp_[A-Za-z0-9_-]+$/;
const ATTEMPT = /^\d+$/;

/** Notifies about ended exports, and removes expired exports and orphaned files. */
export function createCaretaker({ control, store, assignmentOf, tell, now }: CareOptions) {
  const notifiedAt = new Map<string, number>();
  let lookAt = 0;
  const owns = (websiteId: string) => assignmentOf(websiteId)?.isReady === true;

  async function tellOf(over: Export): Promise<void> {
    if (notifiedAt.has(over.id)) return;
    await tell(over);
    notifiedAt.set(over.id, now());
  }

  async function expire(over: Export, signal: AbortSignal): Promise<void> {
    await removeAll(store, exportPrefix(over), { signal });
    await control.execute({ type: 'expireExport', exportId: over.id }, 'system');
  }

  /** Whether an export needs the file. An open one may be writing it. An ended one needs only the files of its recorded attempt. */
  function isNeeded(held: Export | undefined, key: string): boolean {
    if (held === undefined) return false;
    if (held.status === 'pending' || held.status === 'processing') return true;
    return held.file !== null && key.startsWith(folderOf(held.file.key));
  }

  /** Removes files of attempts that ended with their process, whether or not the user was notified. */
  async function clearEarlier({ id, websiteId, file }: Export, signal: AbortSignal): Promise<void> {
    if (file === null) return;
    const own = folderOf(file.key);
    for await (const { key } of store.list(exportPrefix({ id, websiteId }), { signal }))
      if (!key.startsWith(own)) await store.remove(key, { signal });
  }

  async function careFor(each: Export, signal: AbortSignal): Promise<void> {
    const expiry = expiryOf(each);
    if (expiry === null || !owns(each.websiteId)) return;
    const isNews = now() < Date.parse(each.completedAt!) + TELL_FOR_MS;
    if (each.status !== 'cancelled' && isNews) await tellOf(each);
    if (now() >= expiry) await expire(each, signal);
  }

  /**
   * Whether a file is certainly orphaned. A file with another form of name belongs to another program, and one of an unknown website may belong to
   * another installation. Only files of erased websites, and files that no export needs, are removed.
   */
  function isOrphan(key: string): boolean {
    const [websiteId = '', kind, id = '', ...rest] = key.split('/');
    if (kind !== 'exports' && kind !== 'requests') return false;
    const state = control.state();
    if (wasErased(state, 'website', websiteId)) return true;
    if (kind !== 'exports' || state.websites.get(websiteId) === undefined) return false;
    const [attempt = '', name] = rest;
    const isOurs = EXPORT_ID.test(id) && ATTEMPT.test(attempt) && name !== undefined && rest.length === 2;
    return isOurs && !isNeeded(state.exports.get(id), key);
  }

  return {
    /** For an export that has just ended: notifies its owner and removes files of earlier attempts. @throws the first failure, after both were tried */
    async settle(id: string, signal: AbortSignal): Promise<void> {
      const done = control.state().exports.get(id);
      if (done === undefined || done.completedAt === null || done.status === 'cancelled') return;
      await eachOf([tellOf, clearEarlier], (step) => step(done, signal));
    },

    /**
     * Notifies about ended exports of all replicas, and removes expired ones. It runs at most once a minute.
     * @throws the first failure, after all exports were checked
     */
    async lookAfter(signal: AbortSignal): Promise<void> {
      if (now() < lookAt) return;
      lookAt = now() + LOOK_MS;
      for (const [id, at] of notifiedAt) if (now() - at > 2 * TELL_FOR_MS) notifiedAt.delete(id);
      await eachOf([...control.state().exports.values()], (each) => careFor(each, signal));
    },

    /**
     * Removes orphaned files: of erased websites, of attempts that ended with their process, and of attempts that ended after another one had completed.
     * @throws FileStoreError if there are more than one sweep may remove
     */
    async sweep(signal: AbortSignal): Promise<void> {
      await store.clearUnfinished?.();
      let removed = 0;
      for await (const { key, modifiedAt } of store.list('', { signal })) {
        const [websiteId = ''] = key.split('/');
        if (!owns(websiteId) || now() - modifiedAt < ORPHAN_MS || !isOrphan(key)) continue;
        if (removed >= MOST_SWEPT)
          throw new FileStoreError(
            `more than ${MOST_SWEPT} files are orphaned: the next sweep removes the others`,
          );
        await store.remove(key, { signal });
        removed++;
      }
    },
  };
}

/** The folder of an attempt: its file, and further files of the export. */
const folderOf = (key: string) => key.slice(0, key.lastIndexOf('/') + 1);

/** A failure delays no other item. @throws the first failure, at the end */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
}
