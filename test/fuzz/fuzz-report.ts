export type FuzzReport = {
  cases: number;
  /** answers, telegrams or readings that came of them */
  frames: number;
  /** what was taken for something it is not, missed, or thrown */
  wrong: string[];
  slowestMs: number;
  /** damaged, and yet their own check passes: nobody could tell */
  byChance?: number;
};
