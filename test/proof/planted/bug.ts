/**
 * A mistake that somebody could make in the product, and the test file that has to fail because of it. It is planted at a seam:
 * an exported value of one module, replaced for everybody who imports it. What this file and the bugs import themselves is loaded
 * before, so they import only types of the product.
 */
export type Bug = {
  id: string;
  /** The attacks, faults and figures of docs/guarantees.md that this bug would break. */
  proves: readonly string[];
  /** The path of the module below the root. */
  module: string;
  /** By the name of the export: makes the faulty value from the real module. */
  replace: Readonly<Record<string, (real: never) => unknown>>;
  noticedBy: string;
  /** whether that test needs PostgreSQL */
  needsPostgres?: boolean;
};

type Replacements<Module> = { readonly [Name in keyof Module]?: (real: Module) => Module[Name] };

/** Declares the bugs of one module. Its type makes a renamed export or a changed signature fail the type check. */
export const bugsIn =
  <Module>(module: string) =>
  (...bugs: (Omit<Bug, 'module' | 'replace'> & { replace: Replacements<Module> })[]): readonly Bug[] =>
    bugs.map((bug) => ({ ...bug, module, replace: bug.replace as Bug['replace'] }));
