import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { Command } from '../../../shared/control/decide/commands.js';
import type { KeyRing } from '../../../shared/control/sealing/key-ring.js';
import { PublicError } from '../../../shared/errors.js';
import { namingAddress } from '../../../shared/personal-data/naming-address.js';
import {
  type CountedTables,
  countOfAddress,
  countOwned,
  countTexts,
  eraseAddress,
  eraseOwned,
  eraseTexts,
  type KeyTexts,
  type Owners,
  type RowCounts,
} from '../rows/erase-rows.js';
import { addressBlocks, websiteBlocks } from './erase-blocks.js';
import { addressEraser, scopeEraser } from './erase-decision.js';
import { addressDetection, websiteDetection } from './erase-detection.js';
import { countFiles, eraseFiles } from './erase-files.js';
import { type ErasureScope, findScope } from './erasure-scope.js';
import { createDetectorNotice, type DetectorNotice, toForget } from './forget-in-detectors.js';
import { type ObjectCounts, objectsInState } from './objects-in-state.js';
import { type Remains, remainsOf } from './remains.js';
import { rewriteLog } from './rewrite-log.js';
import { MOST_PASSES, PAUSE_MS, type StoredData } from './stored-data.js';
import type { ErasureSubject } from './subject.js';

/** Erases a subject from the state, every table and every topic. */
export interface ErasureDesk {
  /** @returns counts of the data to be erased. @throws PublicError `not_found` */
  preview(subject: ErasureSubject): Promise<ErasurePreview>;
  /**
   * A repeated call erases data that arrived meanwhile, and continues after a crash. `complete` in the report shows
   * whether to repeat.
   * @throws PublicError `not_found`, or `conflict` if the state refuses it; StoreUnavailableError, LogUnavailableError.
   */
  erase(subject: ErasureSubject): Promise<ErasureReport>;
}

export interface ErasurePreview {
  /** Id, or the address. */
  readonly subject: string;
  /** Name, domain or e-mail address; null: an address, or erased before. */
  readonly name: string | null;
  /** Objects of the subject in the state. */
  readonly state: ObjectCounts;
  /** Timeline entries created with API keys of the user. They stay without their texts. */
  readonly entries: number;
  /** Rows by table. */
  readonly rows: RowCounts;
  /** Files of the websites in the file store. */
  readonly files: number;
  readonly remains: readonly Remains[];
}

export interface ErasureReport extends ErasurePreview {
  /** Rewritten log records. */
  readonly records: number;
  /** Whether the detectors have forgotten the subject. False: one did not answer in time, and may write the data again. */
  readonly forgotten: boolean;
  /** Rows left in each table, by a separate count at the end; all 0 if nothing is left. */
  readonly left: RowCounts;
  /** Log records that the last pass found. Records that can't be rewritten are in `remains`. */
  readonly leftRecords: number;
  /** `forgotten`, and the last pass found nothing. False: repeat the erasure. */
  readonly complete: boolean;
}

interface ErasureDeskOptions extends StoredData {
  /** Present if the log can't be rewritten: the keys of an erased organisation are deleted. */
  readonly ring?: KeyRing | undefined;
  /** Timeout for the answers of detectors, in milliseconds (forget-in-detectors.ts). */
  readonly answerMs?: number;
}

export function createErasureDesk(options: ErasureDeskOptions): ErasureDesk {
  const { control, log, clickhouse, logger } = options;

  /** Finds the subject by its id, even if erased before; a user also by e-mail address. */
  async function resolve(
    subject: ErasureSubject,
  ): Promise<{ subject: ErasureSubject; scope: ErasureScope | null }> {
    if (subject.kind === 'address') return { subject, scope: null };
    const { users } = control.state();
    const byEmail = [...users.values()].find(({ email }) => email === subject.id.toLowerCase());
    const found = subject.kind === 'user' && byEmail ? { ...subject, id: byEmail.id } : subject;
    if (control.state().versions.get(`${found.kind}/${found.id}`) === undefined)
      throw new PublicError('not_found', `there is no ${found.kind} "${found.id}"`);
    return { subject: found, scope: await findScope(log, found, options.ring) };
  }

  const remains = (subject: ErasureSubject) => remainsOf(subject, options);

  async function countRows(
    subject: ErasureSubject,
    scope: ErasureScope | null,
    which?: CountedTables,
  ): Promise<RowCounts> {
    return subject.kind === 'address'
      ? countOfAddress(clickhouse, subject, which)
      : countOwned(clickhouse, ownersOf(scope!), which);
  }

  async function forgetInState(subject: ErasureSubject): Promise<void> {
    for (const command of commandsFor(subject, control)) {
      const outcome = await control.execute(command, 'admin');
      if ('refusal' in outcome) throw new PublicError(outcome.refusal.code, outcome.refusal.detail);
    }
  }

  return {
    async preview(wanted) {
      const { subject, scope } = await resolve(wanted);
      const { name, counts } = objectsInState(subject, control.state());
      const entries = subject.kind === 'user' ? await countTexts(clickhouse, textsOf(scope!)) : 0;
      const rows = await countRows(subject, scope);
      const files = await countFiles(options.files ?? null, scope?.websites ?? []);
      return {
        subject: nameOf(subject),
        name,
        state: counts,
        entries,
        rows,
        files,
        remains: remains(subject),
      };
    },

    async erase(wanted) {
      const { subject, scope } = await resolve(wanted);
      const { name, counts } = objectsInState(subject, control.state());
      await forgetInState(subject);
      if (subject.kind === 'organisation') await options.ring?.shred(subject.id);
      const erased = await eraseUntilNothingIsLeft(subject, scope, options);
      const { rows, records, leftRecords, entries, files, forgotten } = erased;
      const left = await countRows(subject, scope, 'all');
      const complete = erased.complete && Object.values(left).every((count) => count === 0);
      const told = { rows, records, files, left, leftRecords, forgotten, complete };
      const report = { subject: nameOf(subject), ...told };
      // The log names no subject: an erased address or person must not appear in it.
      logger.info({ ...told, kind: subject.kind }, complete ? 'erased' : 'erasure not finished');
      return { ...report, name, state: counts, entries, remains: remains(subject) };
    },
  };
}

interface Erased {
  readonly rows: RowCounts;
  readonly records: number;
  readonly entries: number;
  readonly files: number;
  readonly forgotten: boolean;
}

/** Repeats until a pass finds nothing, since uploads may be under way. */
async function eraseUntilNothingIsLeft(
  subject: ErasureSubject,
  scope: ErasureScope | null,
  options: ErasureDeskOptions,
): Promise<Erased & { readonly leftRecords: number; readonly complete: boolean }> {
  const { control, pauseMs = PAUSE_MS } = options;
  const detectors = createDetectorNotice(() => toForget(subject, scope, control), { ...options, sleep });
  let rows: RowCounts = {};
  let records = 0;
  let leftRecords = 0;
  let entries = 0;
  let files = 0;
  let forgotten = false;
  let isOver = false;
  for (let number = 1; number <= MOST_PASSES && !isOver; number++) {
    const found = await eraseOnce(subject, scope, detectors, options);
    records += found.records;
    leftRecords = found.records;
    entries += found.entries;
    files += found.files;
    rows = sumOf(rows, found.rows);
    forgotten = found.forgotten;
    isOver = number > 1 && found.records + found.files === 0 && Object.keys(found.rows).length === 0;
    if (!isOver) await sleep(pauseMs);
  }
  return { rows, records, leftRecords, entries, files, forgotten, complete: isOver && forgotten };
}

/**
 * Detectors forget first: their later rows are free of the subject, so only earlier rows are erased. If they do
 * not answer, their saved states may still name the address, so the rows of these states are deleted too.
 */
async function eraseOnce(
  subject: ErasureSubject,
  scope: ErasureScope | null,
  detectors: DetectorNotice,
  { log, clickhouse, newId, logger, cluster, files = null, withInsertsHeld }: ErasureDeskOptions,
): Promise<Erased> {
  const storeOptions = { newId, logger, cluster };
  if (subject.kind === 'address') {
    const { address, websiteId } = subject;
    const pattern = new RegExp(namingAddress(address));
    return withInsertsHeld(async () => {
      const forgotten = await detectors.tell();
      const erasers = {
        decisions: addressEraser(pattern, websiteId, newId),
        blocks: addressBlocks(address, websiteId),
        detection: addressDetection(address, websiteId),
      };
      const records = await rewriteLog(log, erasers, forgotten);
      const rows = await eraseAddress(clickhouse, subject, storeOptions);
      return { rows, records, entries: 0, files: 0, forgotten };
    });
  }
  const forgotten = await detectors.tell();
  const rows = await eraseOwned(clickhouse, ownersOf(scope!), storeOptions);
  const entries = subject.kind === 'user' ? await eraseTexts(clickhouse, textsOf(scope!), storeOptions) : 0;
  const erasers = {
    decisions: scopeEraser(subject.id, scope!, newId),
    blocks: websiteBlocks(scope!.websites),
    detection: websiteDetection(scope!.websites),
  };
  const records = await rewriteLog(log, erasers, forgotten);
  return { rows, records, entries, files: await eraseFiles(files, scope!.websites), forgotten };
}

/** Adds the counts of each table. */
function sumOf(one: RowCounts, other: RowCounts): RowCounts {
  const sums = new Map(Object.entries(one));
  for (const [table, count] of Object.entries(other)) sums.set(table, (sums.get(table) ?? 0) + count);
  return Object.fromEntries(sums);
}

function ownersOf(scope: ErasureScope): Owners {
  return {
    website_id: [...scope.websites],
    organisation_id: [...scope.organisations],
    api_key_id: [...scope.apiKeys],
  };
}

function textsOf({ tenants, keyNames }: ErasureScope): KeyTexts {
  return { organisationIds: [...tenants], keyNames: [...keyNames] };
}

function nameOf(subject: ErasureSubject): string {
  return subject.kind === 'address' ? subject.address : subject.id;
}

/** Commands that erase the subject from the state; empty if it was erased before. */
function commandsFor(subject: ErasureSubject, control: ControlPlane): Command[] {
  const { organisations, websites, users, resolutions } = control.state();
  switch (subject.kind) {
    case 'organisation':
      return organisations.get(subject.id) ? [{ type: 'eraseOrganisation', organisationId: subject.id }] : [];
    case 'website':
      return websites.get(subject.id) ? [{ type: 'eraseWebsite', websiteId: subject.id }] : [];
    case 'user':
      return users.get(subject.id) ? [{ type: 'eraseUser', userId: subject.id }] : [];
    case 'address': {
      const marks = [...resolutions.values()].filter(
        ({ websiteId, key }) =>
          key === `ip:${subject.address}` && (subject.websiteId ?? websiteId) === websiteId,
      );
      return marks.map(({ websiteId, key }) => ({ type: 'reopenRecommendation', websiteId, key }));
    }
  }
}
