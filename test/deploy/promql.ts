const keywords = new Set([
  'and',
  'or',
  'unless',
  'by',
  'without',
  'on',
  'ignoring',
  'offset',
  'bool',
  'group_left',
  'group_right',
]);

/** Without what is in braces, brackets, texts, numbers and lists of labels: names, and what joins them. */
const bare = (expr: string): string =>
  expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(by|without|on|ignoring) *\([^)]*\)/g, ' ')
    .replaceAll(/\b\d[\w.]*/g, ' ');

/** The metrics that a question to Prometheus is about: every name that is no function and no keyword. */
export const metricsIn = (expr: string): string[] =>
  [...bare(expr).matchAll(/[a-zA-Z_:][\w:]*(?! *\(|[\w:])/g)]
    .map(([name]) => name)
    .filter((name) => !keywords.has(name));

/** The labels that it chooses by, for each time that it names a metric with some. */
export const labelsIn = (expr: string): [metric: string, labels: string[]][] =>
  [...expr.replaceAll(/"[^"]*"/g, '""').matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].map(([, metric, choice]) => [
    metric!,
    [...choice!.matchAll(/(\w+) *(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  ]);
