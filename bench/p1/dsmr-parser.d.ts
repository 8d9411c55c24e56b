// The parts we use; the package has no types.
declare module 'dsmr-parser' {
  const parser: { parse(telegram: string): { objects: Record<string, unknown> } };
  export default parser;
}
