/** Apart from what throws it, so that whoever tells of it need not load a database. */
export class DatabaseTooNew extends Error {}
