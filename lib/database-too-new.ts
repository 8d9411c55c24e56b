/** Thrown for a database of a newer program. In a file of its own, so that the command line need not load a database. */
export class DatabaseTooNew extends Error {}
