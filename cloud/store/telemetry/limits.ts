// Limits of the memory that one piece of work takes. A cell is a place for a number: readings are held in columns of one length, so that a field that
// is in few of them takes as much as one that is in all.

/** Distinct fields of a chunk or of a summary. */
export const maxChunkFields = 1024;

/** Readings times fields of an hour that is sealed as one chunk: 16 MB. */
export const maxHourCells = 2_000_000;

/** Readings times fields of a day that is sealed as one chunk, or of a part of an answer: 64 MB. */
export const maxDayCells = 8_000_000;

/** Sealed bytes that are read at once. */
export const maxChunkBytes = 16 * 1024 * 1024;

/** Readings that were not sealed and are read at once, of 16 KB each at most. */
export const hotRowsAtOnce = 2000;

/** Text of readings that are set aside together. */
export const maxSetAsideBytes = 4 * 1024 * 1024;
