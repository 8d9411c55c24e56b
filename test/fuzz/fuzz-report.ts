export type FuzzReport = {
  cases: number;
  /** answers, telegrams or readings that were produced */
  frames: number;
  /** inputs that were misread, missed, or caused an exception */
  wrong: string[];
  slowestMs: number;
  /** damaged inputs whose own check passes, so that nobody could tell */
  byChance?: number;
};
