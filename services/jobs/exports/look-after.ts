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
  /** Of the website's partition of `jobs`; undefined where another replica has it. */
  readonly assignmentOf: (websiteId: string) => Assignment | undefined;
  /** Puts in the message that an export is over; put in again, nothing changes. */
  readonly tell: (over: Export) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What was over for longer is nobody's news. */
const TELL_FOR_MS = DAY_MS;
/** All records are looked at: of 100,000 that takes 45 ms. */
const LOOK_MS = MINUTE_MS;
/** The state of this replica may be a moment behind whoever stored the file. */
const ORPHAN_MS = 10 * MINUTE_MS;
/** A mistake about what is nobody's has a bound, and time to be seen: the log tells of it. */
const MOST_SWEPT = 2_000;
/** As control/exports/export.ts names them. */
const EXPORT_ID = /^exp_[A-Za-z0-9_-]+$/;
const ATTEMPT = /^\d+$/;

/** What becomes of exports that are over, and of files that nobody has any more. */
export function createCaretaker({ control, store, assignmentOf, tell, now }: CareOptions) {
  const told = new Map<string, number>();
  let lookAt = 0;
  const owns = (websiteId: string) => assignmentOf(websiteId)?.isReady === true;

  async function tellOf(over: Export): Promise<void> {
    if (told.has(over.id)) return;
    await tell(over);
    told.set(over.id, now());
  }

  async function expire(over: Export, signal: AbortSignal): Promise<void> {
    await removeAll(store, exportPrefix(over), { signal });
    await control.execute({ type: 'expireExport', exportId: over.id }, 'system');
  }

  /** Whether a file below an export's prefix is anybody's. An open one may be made just now; of one that is over only what its record names is. */
  function isNeeded(held: Export | undefined, key: string): boolean {
    if (held === undefined) return false;
    if (held.status === 'pending' || held.status === 'processing') return true;
    return held.file !== null && key.startsWith(folderOf(held.file.key));
  }

  /** Files of attempts that ended with their process. Whether its owner was told has no part in it. */
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
   * Whether a file is nobody's for certain. What the program did not name so is not its own, and a website that it does not know may be
   * another installation's: only what it knows to be erased, or not to be an export's any more, goes.
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
    /** Of one that was over just now: its owner is told, and files of earlier attempts go. @throws the first failure, when both were tried */
    async settle(id: string, signal: AbortSignal): Promise<void> {
      const done = control.state().exports.get(id);
      if (done === undefined || done.completedAt === null || done.status === 'cancelled') return;
      await eachOf([tellOf, clearEarlier], (step) => step(done, signal));
    },

    /**
     * Tells of what is over and was not told of, whoever completed it, and takes away what has expired; once a minute, however often it is called.
     * @throws the first failure, when all exports were looked at
     */
    async lookAfter(signal: AbortSignal): Promise<void> {
      if (now() < lookAt) return;
      lookAt = now() + LOOK_MS;
      for (const [id, at] of told) if (now() - at > 2 * TELL_FOR_MS) told.delete(id);
      await eachOf([...control.state().exports.values()], (each) => careFor(each, signal));
    },

    /**
     * Removes files that nobody has: of websites that were erased, and of attempts that ended with their process, or after another one had completed.
     * @throws FileStoreError where there are more of them than one sweep may remove
     */
    async sweep(signal: AbortSignal): Promise<void> {
      await store.clearUnfinished?.();
      let removed = 0;
      for await (const { key, modifiedAt } of store.list('', { signal })) {
        const [websiteId = ''] = key.split('/');
        if (!owns(websiteId) || now() - modifiedAt < ORPHAN_MS || !isOrphan(key)) continue;
        if (removed >= MOST_SWEPT)
          throw new FileStoreError(
            `more than ${MOST_SWEPT} files are nobody's: the rest waits for the next sweep`,
          );
        await store.remove(key, { signal });
        removed++;
      }
    },
  };
}

/** Of an attempt: its file, and what lies beside it. */
const folderOf = (key: string) => key.slice(0, key.lastIndexOf('/') + 1);

/** One that fails holds no other up. @throws the first failure, at the end */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
}
