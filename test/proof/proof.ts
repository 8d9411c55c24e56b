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
  /** the full number of trials, and their duration when nothing runs beside them */
  full: number;
  seconds: number;
  /** the processors it uses on average; `alone` if it measures times, and nothing may run beside it */
  load: number | 'alone';
  /** the number of trials after which a run that is interrupted can continue */
  portion?: number;
  /** Runs that many trials. */
  attempt(count: number): Promise<Outcome>;
  /** The same trial with a planted bug, which it has to notice. */
  planted(): Promise<Outcome>;
};

/** A row of docs/guarantees.md. */
export type Proven = Pick<Outcome, 'tried' | 'failed'> & {
  id: string;
  /** whether all trials were run */
  in_full: boolean;
  planted_bug_caught: boolean;
  /** the commit that was tried; absent if it is unknown */
  version?: string;
};
