/** So many were tried, so many of them went wrong. */
export type Outcome = {
  tried: number;
  failed: number;
  /** what went wrong, for people */
  notes?: string[];
};

/** A promise of ours that is tried at length. */
export type Proof = {
  /** as in docs/guarantees.md */
  id: string;
  what: string;
  /** how much is tried in full, and how long that takes on two cores */
  full: number;
  seconds: number;
  /** Tries so many. */
  attempt(count: number): Promise<Outcome>;
  /** The same trial of a product with a bug planted in it, which it has to notice. */
  planted(): Promise<Outcome>;
};

/** A line of proof.json. */
export type Proven = Outcome & {
  id: string;
  what: string;
  planted_bug_caught: boolean;
  seconds: number;
  /** whether as much was tried as there is to try */
  in_full: boolean;
  /** the commit that was tried; of a copy without git nobody knows */
  version?: string;
};
