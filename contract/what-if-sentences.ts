/** What the answer of what-if assumes, in English; pages translate the sentences. */
export const whatIfSentences = {
  known_from: 'The energy is known from {date} on, so this is about {days} days.',
  not_measured: '{percent} % of the time was not measured and counts as no energy.',
  battery_seen: 'The present battery counts as {capacity} and {power}, the most that it did.',
  battery_present:
    'The present battery: {capacity}, of which the {percent} % that the goals reserve are not used, and {power}.',
  battery_other: 'Battery: {capacity}, of which the {percent} % that the goals reserve are not used, and {power}.',
  battery_measured: 'As measured, the battery returns {percent} % of the charged energy. It does not sell to the grid.',
  battery_usual: 'The battery returns {percent} % of the charged energy. It does not sell to the grid.',
  battery_reserved: 'The goals reserve the whole battery.',
  roof: 'The present roof counts as {power}, its highest quarter of an hour; another one generates in proportion.',
  plan_knows:
    'A plan knows the prices that are published, and expects the house and the sun to be as on the last seven days.',
  plan_wear:
    'A plan discharges for more than {percent} % of the mean price, for the wear, which the bill does not contain.',
  peaks_known: 'The highest import of each month is chosen knowing the month.',
} as const satisfies Record<string, string>;

export const whatIfSentence = (
  key: keyof typeof whatIfSentences,
  values: Readonly<Record<string, string | number>> = {},
): string => whatIfSentences[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
