/** An attack or a fault, and the tests that fail when the defence is taken away, or why there is none. */
export type Evidence = {
  /** A.. is an attack, F.. a fault */
  id: string;
  what: string;
} & ({ tests: readonly TestName[] } | { reason: string });

/** A test by its file and by its whole title, in which … stands for what varies. */
export type TestName = { file: string; title: string };

export const testsIn = (file: string, ...titles: string[]): TestName[] => titles.map((title) => ({ file, title }));
