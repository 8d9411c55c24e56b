/** The number of trials, and of those that failed. */
export type Outcome = {
  tried: number;
  failed: number;
  /** descriptions of the failures */
  notes?: string[];
};

/** A promise that is tested at length. */
export type Proof = {
  /** as in docs/guarantees.md */
  id: string;
  what: string;
  /** the full number of trials, and their duration on two cores */
  full: number;
  seconds: number;
  /** the number of trials after which a run that is interrupted can continue */
  portion?: number;
  /** Runs that many trials. */
  attempt(count: number): Promise<Outcome>;
  /** The same trial with a planted bug, which it has to notice. */
  planted(): Promise<Outcome>;
};

/** An entry of proof.json. */
export type Proven = Outcome & {
  id: string;
  what: string;
  planted_bug_caught: boolean;
  seconds: number;
  /** whether all trials were run */
  in_full: boolean;
  /** the commit that was tried; absent in a copy without git */
  version?: string;
};
