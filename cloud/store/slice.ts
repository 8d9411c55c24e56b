/** So many of a list, behind one of them. */
export type Slice = { after: string | undefined; limit: number };
