import { PublicError } from '../../../../shared/errors.js';
import { toAlert } from '../../../../shared/reads/alerts/alert-answer.js';
import { countUnacknowledged } from '../../../../shared/reads/alerts/alerts.js';
import { countAlerts, readAlerts, readNewestOfWindow } from '../../../../shared/reads/alerts/alerts-sql.js';
import { rowsOfPage, toPaging } from '../../../../shared/reads/answer/paging.js';
import { dateWindow } from '../../../../shared/reads/answer/windows.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { namesIn } from '../../control/name-of-actor.js';
import type { WebsiteContext } from '../../operation/operation.js';
import { resolveWindow, type WindowInput } from '../../operation/resolve-scope.js';
import { decodeVersion, encodeVersion, MOST_HASHES, type SelectionVersion } from './selection-version.js';

/** Length of the window if only one end is given (spec §2.1). */
const DEFAULT_HOURS = 24;

export const MOVED =
  'Old alerts were stored or erased meanwhile, so the pages of this selection have changed: begin again with page 1.';

export interface SelectedInput {
  readonly hours?: WindowInput['hours'] | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly type?: string | undefined;
  readonly page: number;
  readonly page_size: number;
  readonly selection_version?: string | undefined;
}

/** One page of the alerts that were created in a window. @throws PublicError invalid_request, conflict; as ClickHouseReader.read */
export async function readSelectedAlerts(input: SelectedInput, context: WebsiteContext) {
  const { website, now, services } = context;
  const { type } = input;
  const nameOf = namesIn(services.control.state());
  const question = questionOf(input, context);
  const version = await versionOf(input, context, question);
  const filter = { type, selection: version.selection };
  const rows = await readAlerts(services.reader, website.id, filter, rowsOfPage(input));
  // Read after the page: alerts are only added, so an unchanged count proves that the page is complete.
  const total = await countAlerts(services.reader, website.id, filter);
  if (input.selection_version !== undefined && total !== version.total)
    throw new PublicError('conflict', MOVED);
  const { fields } = await dateWindow(services.reader, { websiteId: website.id, window: version.selection });
  return {
    alerts: rows.map((row) => toAlert(website.id, row, nameOf)),
    count: rows.length,
    unacknowledged_count: await countUnacknowledged(services.reader, { websiteId: website.id, now }),
    total,
    ...toPaging(input, total),
    selection_version: encodeVersion({ ...version, total }, question),
    ...fields,
  };
}

/** `hours` stay hours, although their window moves. */
function questionOf({ hours, start, end, type }: SelectedInput, { website }: WebsiteContext): unknown {
  const window = isFixed({ start, end }) ? [start, end] : [hours ?? DEFAULT_HOURS];
  return [website.id, window, type ?? null];
}

function isFixed({ start, end }: Pick<SelectedInput, 'start' | 'end'>): boolean {
  return start !== undefined && end !== undefined;
}

async function versionOf(
  input: SelectedInput,
  context: WebsiteContext,
  question: unknown,
): Promise<SelectionVersion> {
  if (input.selection_version !== undefined) return decodeVersion(input.selection_version, question);
  if (input.page > 1 && isFixed(input))
    throw new PublicError(
      'invalid_request',
      'selection_version: required with start and end for pages after the first; the first page returns it',
    );
  const window = resolveWindow({ ...input, hours: input.hours ?? DEFAULT_HOURS }, context.now);
  return newVersion(context.services.reader, context.website.id, { ...window, type: input.type });
}

async function newVersion(
  reader: ClickHouseReader,
  websiteId: string,
  { start, end, type }: { readonly start: number; readonly end: number; readonly type: string | undefined },
): Promise<SelectionVersion> {
  const newest = await readNewestOfWindow(
    reader,
    websiteId,
    { type, selection: { start, end } },
    { limit: MOST_HASHES },
  );
  // If all alerts are in the list, no older alert belongs to the selection.
  const boundary = newest.length < MOST_HASHES ? '' : newest.at(-1)!.alert_id;
  const hashes = newest.map(({ hash }) => hash);
  return { selection: { start, end, newest: { boundary, hashes } }, total: newest.length };
}
