import { readAddresses } from './util/choose-client.js';
import { normaliseIp } from './util/client-ip.js';

/**
 * Finds the quoted column after the user agent that is X-Forwarded-For. Such columns have no names. A client can
 * write any address into a cookie or another header, but a proxy writes one into X-Forwarded-For of every request. So
 * other lines of the proxy decide.
 */
export interface ForwardedColumn {
  /**
   * Counts lines of browsers that came through a proxy and have no value in any column. The proxy's own checks have
   * none either.
   */
  noteWithout(lines: number): void;
  /** Counts a line that came through a proxy. @returns its only column of addresses; null if it has none or several */
  note(columns: readonly string[], isBrowser: boolean): Forwarded | null;
  /** Whether the column is X-Forwarded-For, by the lines so far. */
  isList(column: number): boolean;
  /** Whether enough lines were counted to decide at once. */
  readonly isSure: boolean;
}

export interface Forwarded {
  readonly column: number;
  readonly addresses: readonly string[];
}

/** At most this many columns of a line are checked. */
const MOST_COLUMNS = 8;
/** Lines that are enough to decide on the next one. */
const ENOUGH_LINES = 16;

export function createForwardedColumn(): ForwardedColumn {
  let browsers = 0;
  let noted = 0;
  /** Counts by column. */
  const lists = new Int32Array(MOST_COLUMNS);
  const texts = new Uint8Array(MOST_COLUMNS);
  return {
    noteWithout(lines) {
      browsers += lines;
      noted += lines;
    },
    note(columns, isBrowser) {
      const found: Forwarded[] = [];
      const most = Math.min(columns.length, MOST_COLUMNS);
      for (let column = 0; column < most; column += 1) {
        const value = columns[column]!;
        if (endsInText(value)) texts[column] = 1;
        const addresses = value === '-' ? [] : readAddresses(value);
        if (addresses.length === 0) continue;
        lists[column]! += Number(isBrowser);
        found.push({ column, addresses });
      }
      browsers += Number(isBrowser);
      noted += Number(isBrowser || found.length > 0);
      return found.length === 1 ? found[0]! : null;
    },
    isList: (column) => texts[column] === 0 && (browsers === 0 || 2 * lists[column]! > browsers),
    get isSure() {
      return noted >= ENOUGH_LINES;
    },
  };
}

/** Whether the value does not end in a proxy's text: an address, or a mark for none. */
function endsInText(value: string): boolean {
  const last = value.slice(value.lastIndexOf(',') + 1).trim();
  return last !== '' && last !== '-' && last !== 'unknown' && normaliseIp(last) === '';
}
