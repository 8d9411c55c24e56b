/** A mean power, the power that counts, and its time; constants in a formula have no time. */
export type PeakValue = { kw: number; counted: number; start: number | undefined };

type MeasuredPeak = PeakValue & { start: number };

/** Returns the highest peak of a reference; undefined without measurements. */
export type PeakOf = (reference: string) => PeakValue | undefined;

/** Evaluates a formula; undefined when a peak that it needs was not measured. */
export type PeakFunction = (peakOf: PeakOf) => MeasuredPeak | undefined;

type Term = (peakOf: PeakOf) => PeakValue | undefined;

const maxLength = 200;
const token = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][\w#-]*)|([-+*/(),]))/y;

const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

/** Parses formulas such as peak(main) and max(peak(high),peak(low)/2); undefined when not supported. */
export function parsePeakFunction(text: string): PeakFunction | undefined {
  const tokens = text.length <= maxLength ? tokensOf(text) : [];
  let at = 0;
  const take = (wanted: string): boolean => tokens[at] === wanted && ++at > 0;

  function chain(signs: string, operand: () => Term | undefined): Term | undefined {
    let left = operand();
    for (let sign = tokens[at]; left && sign && signs.includes(sign); sign = tokens[at]) {
      at += 1;
      left = combine(operators[sign], left, operand());
    }
    return left;
  }

  const product = (): Term | undefined => chain('*/', factor);
  const sum = (): Term | undefined => chain('+-', product);

  function factor(): Term | undefined {
    const word = tokens[at++] ?? '';
    if (/^\d/.test(word)) return () => ({ kw: Number(word), counted: Number(word), start: undefined });
    if (word === '(') return closed(sum());
    if (!take('(')) return undefined;
    if (word === 'peak') {
      const reference = tokens[at++] ?? '';
      return /^[A-Za-z_]/.test(reference) ? closed((peakOf) => peakOf(reference)) : undefined;
    }
    if (word !== 'max' && word !== 'min') return undefined;
    const terms = [sum()];
    while (take(',')) terms.push(sum());
    return closed(choose(word, terms));
  }

  const closed = (term: Term | undefined): Term | undefined => (take(')') ? term : undefined);

  const whole = sum();
  if (!whole || at !== tokens.length) return undefined;
  return (peakOf) => {
    const value = whole(peakOf);
    return value?.start === undefined ? undefined : { ...value, start: value.start }; // a constant alone is not a peak
  };
}

/** Splits a formula into tokens; empty when it has an unknown token. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let read = token.exec(text); read; read = token.exec(text)) {
    tokens.push(read[0].trim());
    if (token.lastIndex === text.length) return tokens;
  }
  return [];
}

function combine(
  calculate: ((a: number, b: number) => number) | undefined,
  left: Term,
  right: Term | undefined,
): Term | undefined {
  if (!calculate || !right) return undefined;
  return (peakOf) => {
    const [a, b] = [left(peakOf), right(peakOf)];
    return a && b && { ...withTime(a, [b]), counted: calculate(a.counted, b.counted) };
  };
}

/** Takes the maximum or minimum; a chosen constant gets the time of a measured value. */
function choose(word: 'max' | 'min', terms: readonly (Term | undefined)[]): Term | undefined {
  if (!terms.every((term) => term !== undefined)) return undefined;
  const sign = word === 'max' ? 1 : -1;
  return (peakOf) => {
    const values = terms.map((term) => term(peakOf)).filter((value) => value !== undefined);
    const best = values.reduce<PeakValue | undefined>(
      (chosen, value) => (chosen && sign * chosen.counted >= sign * value.counted ? chosen : value),
      undefined,
    );
    return best && { ...withTime(best, values), counted: best.counted };
  };
}

/** Returns the value, or for a constant the first other value that has a time. */
const withTime = (value: PeakValue, others: readonly PeakValue[]): PeakValue =>
  value.start === undefined ? (others.find(({ start }) => start !== undefined) ?? value) : value;
