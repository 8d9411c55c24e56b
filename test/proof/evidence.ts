/** An attack or a fault, and the tests that fail when the defence is taken away, or why there is none. */
export type Evidence = {
  /** A.. is an attack, F.. a fault */
  id: string;
  what: string;
} & ({ tests: readonly TestName[] } | { reason: string });

/** A test by its file and by its title as it stands there. */
export type TestName = { file: string; title: string };

export const testsIn = (file: string, ...titles: string[]): TestName[] => titles.map((title) => ({ file, title }));
