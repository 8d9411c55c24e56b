/** What some call an operator instead of its id. */
export const otherNames: ReadonlyMap<string, string> = new Map([
  ['goteborg_energi', 'goteborg_energi_nat'],
  ['sollentuna_energi', 'sollentuna_elnat'],
]);
