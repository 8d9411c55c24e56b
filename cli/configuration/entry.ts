/** Where something stands in the configuration file. */
export type Place = { line: number; column: number };

/** What the file gives for a variable. */
export type Entry = Place & { variable: string; key: string; text: string };

/** What is wrong at a place. */
export type FileMistake = Place & { says: string };
