/**
 * What stands where in the scanner's memory, in bytes. The exports are read by scanner-memory.ts. It never grows: views of it stay good.
 */

/** Bits of the place of a text in its column, which a line brings one more to at most. */
export const PLACE_BITS: i32 = 10;
/** Lines that one scan finds at most. */
export const MOST_LINES: i32 = 1 << PLACE_BITS;
/** Columns of texts, in the order of columnNames (scanner-memory.ts). */
export const COLUMNS: i32 = 7;

/** `17/Nov/2026` and, behind it, `+0000`: the day that lines are of. */
export const DAY: i32 = 0x400;
/** For each column, how many texts it has. */
export const TEXT_COUNTS: i32 = 0x440;
/** Versions of the protocol, as they are kept, 8 bytes apart. */
export const PROTOCOLS: i32 = 0x480;

/** For each column, {@link MOST_LINES} texts of four numbers of 32 bits: from, to, hash, 1 where it is known to be valid. */
export const TEXTS: i32 = 0x1000;
export const TEXT_BYTES: i32 = 16;
export const TEXTS_OF_COLUMN: i32 = MOST_LINES * TEXT_BYTES;
/** For each column, by line, the place of its text: 16 bits. */
export const IDS: i32 = TEXTS + COLUMNS * TEXTS_OF_COLUMN;
export const IDS_OF_COLUMN: i32 = MOST_LINES * 2;
/** By line, 64-bit floats. */
export const TIMESTAMPS: i32 = IDS + COLUMNS * IDS_OF_COLUMN;
export const BYTES_SENT: i32 = TIMESTAMPS + MOST_LINES * 8;
/** By line, 16 bits. */
export const STATUSES: i32 = BYTES_SENT + MOST_LINES * 8;
/** By line, 32 bits: milliseconds, what the texts of clients add up to with those of all lines before, the index behind the line feed. */
export const TIMES_TAKEN: i32 = STATUSES + MOST_LINES * 2;
export const TEXT_SUMS: i32 = TIMES_TAKEN + MOST_LINES * 4;
export const ENDS: i32 = TEXT_SUMS + MOST_LINES * 4;

/** For each column, so many slots of 32 bits by hash: four for each text there can be. */
export const SLOTS: i32 = ENDS + MOST_LINES * 4;
export const SLOTS_OF_COLUMN: i32 = MOST_LINES * 4;

/** Lines to be read; what is behind them may be read too, and means nothing. */
export const WINDOW: i32 = SLOTS + COLUMNS * SLOTS_OF_COLUMN * 4;
export const WINDOW_BYTES: i32 = 0x20000;
