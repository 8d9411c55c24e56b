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

/** Removes braces, brackets, texts, numbers and lists of labels: what remains are names and operators. */
const bare = (expr: string): string =>
  expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(by|without|on|ignoring) *\([^)]*\)/g, ' ')
    .replaceAll(/\b\d[\w.]*/g, ' ');

/** The metrics in a Prometheus query: every name that is not a function or keyword. */
export const metricsIn = (expr: string): string[] =>
  [...bare(expr).matchAll(/[a-zA-Z_:][\w:]*(?! *\(|[\w:])/g)]
    .map(([name]) => name)
    .filter((name) => !keywords.has(name));

/** The labels that it selects by, for each metric with a selector. */
export const labelsIn = (expr: string): [metric: string, labels: string[]][] =>
  [...expr.replaceAll(/"[^"]*"/g, '""').matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].map(([, metric, choice]) => [
    metric!,
    [...choice!.matchAll(/(\w+) *(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  ]);
