/**
 * What stands where in the scanner's memory, in bytes. The exports are read by line-scanner.ts. It never grows: views of it stay good.
 */

/** Lines that one scan finds at most. */
export const MOST_LINES: i32 = 1024;

/** `17/Nov/2026` and, behind it, `+0000`: the day that lines are of. */
export const DAY: i32 = 0x400;
/** For each column, how many texts it has. */
export const TEXT_COUNTS: i32 = 0x440;
/** Versions of the protocol, as they are kept, 8 bytes apart. */
export const PROTOCOLS: i32 = 0x480;

/** For each column, {@link MOST_LINES} texts of four numbers of 32 bits: from, to, hash, 1 where it is known to be what it should. */
export const TEXTS: i32 = 0x1000;
export const TEXTS_OF_COLUMN: i32 = MOST_LINES * 16;
/** For each column, by line, the place of its text: 16 bits. */
export const IDS: i32 = TEXTS + 7 * TEXTS_OF_COLUMN;
export const IDS_OF_COLUMN: i32 = MOST_LINES * 2;
/** By line, 64-bit floats. */
export const TIMESTAMPS: i32 = IDS + 7 * IDS_OF_COLUMN;
export const BYTES_SENT: i32 = TIMESTAMPS + MOST_LINES * 8;
/** By line, 16 bits. */
export const STATUSES: i32 = BYTES_SENT + MOST_LINES * 8;
/** By line, 32 bits: milliseconds, what the last text of clients adds up to, the index behind the line feed. */
export const TIMES_TAKEN: i32 = STATUSES + MOST_LINES * 2;
export const TEXT_SUMS: i32 = TIMES_TAKEN + MOST_LINES * 4;
export const ENDS: i32 = TEXT_SUMS + MOST_LINES * 4;

/** For each column, {@link SLOTS_OF_COLUMN} slots of 32 bits by hash. */
export const SLOTS: i32 = 0x28000;
export const SLOTS_OF_COLUMN: i32 = 4096;

/** Lines to be read; what is behind them may be read too, and means nothing. */
export const WINDOW: i32 = 0x48000;
export const WINDOW_BYTES: i32 = 0x20000;
