/** Where something stands in the configuration file. */
export type TextPosition = { line: number; column: number };

/** What the file gives for a variable. */
export type Entry = TextPosition & { variable: string; key: string; text: string };

/** What is wrong at a place. */
export type FileMistake = TextPosition & { says: string };
