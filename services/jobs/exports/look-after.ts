import { expiryOf } from '../../../shared/control/aggregates/export.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { Export } from '../../../shared/control/model.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { type FileStore, removeAll } from '../../../shared/files/file-store.js';
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

  async function expire(over: Export): Promise<void> {
    await removeAll(store, exportPrefix(over));
    await control.execute({ type: 'expireExport', exportId: over.id }, 'system');
  }

  /** Whether a file below an export's prefix is anybody's. An open one may be made just now; of one that is over only what its record names is. */
  function isNeeded(held: Export | undefined, key: string): boolean {
    if (held === undefined) return false;
    if (held.status === 'pending' || held.status === 'processing') return true;
    return held.file !== null && key.startsWith(folderOf(held.file.key));
  }

  return {
    /** Of one that was over just now: its owner is told, and files of earlier attempts go. */
    async settle(id: string): Promise<void> {
      const done = control.state().exports.get(id);
      if (done === undefined || done.completedAt === null || done.status === 'cancelled') return;
      await tellOf(done);
      if (done.file === null) return;
      const own = folderOf(done.file.key);
      for await (const { key } of store.list(exportPrefix(done)))
        if (!key.startsWith(own)) await store.remove(key);
    },

    /** Tells of what is over and was not told of, whoever completed it, and takes away what has expired; once a minute, however often it is called. */
    async lookAfter(): Promise<void> {
      if (now() < lookAt) return;
      lookAt = now() + LOOK_MS;
      for (const each of [...control.state().exports.values()]) {
        const expiry = expiryOf(each);
        if (expiry === null || !owns(each.websiteId)) continue;
        if (now() >= expiry) await expire(each);
        else if (each.status !== 'cancelled' && now() < Date.parse(each.completedAt!) + TELL_FOR_MS)
          await tellOf(each);
      }
      for (const [id, at] of told) if (now() - at > 2 * TELL_FOR_MS) told.delete(id);
    },

    /** Removes files that nobody has: of those who were erased, and of attempts that ended with their process, or after another one had completed. */
    async sweep(): Promise<void> {
      await store.clearUnfinished?.();
      for await (const { key, modifiedAt } of store.list('')) {
        const [websiteId = '', kind, id = ''] = key.split('/');
        if (!owns(websiteId) || now() - modifiedAt < ORPHAN_MS) continue;
        const { websites, exports } = control.state();
        const isKept =
          websites.get(websiteId) !== undefined && (kind !== 'exports' || isNeeded(exports.get(id), key));
        if (!isKept) await store.remove(key);
      }
    },
  };
}

/** Of an attempt: its file, and what lies beside it. */
const folderOf = (key: string) => key.slice(0, key.lastIndexOf('/') + 1);
