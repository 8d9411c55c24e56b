const besideValues = 560; // of an array in V8: its objects, and where its memory is noted

/** The memory that a column of so many numbers takes. */
export const columnBytes = (length: number): number => besideValues + length * Float64Array.BYTES_PER_ELEMENT;
