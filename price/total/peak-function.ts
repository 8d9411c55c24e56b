/** A mean power, the power that counts, and its time; constants in a formula have no time. */
export type PeakValue = { kw: number; counted: number; start: number | undefined };

/** Returns the highest peak of a reference; undefined without measurements. */
export type PeakOf = (reference: string) => PeakValue | undefined;

export type PeakFunction = { references: readonly string[]; evaluate(peakOf: PeakOf): PeakValue | undefined };

type Term = (peakOf: PeakOf) => PeakValue | undefined;

const maxLength = 200;
const token = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][\w#-]*)|([-+*/(),]))/y;

/** Parses formulas such as peak(main) and max(peak(high),peak(low)/2); undefined when not supported. */
export function parsePeakFunction(text: string): PeakFunction | undefined {
  const tokens = text.length <= maxLength ? tokensOf(text) : [];
  const references: string[] = [];
  let at = 0;
  const take = (wanted: string): boolean => tokens[at] === wanted && ++at > 0;

  function sum(): Term | undefined {
    let left = product();
    while (left && (tokens[at] === '+' || tokens[at] === '-')) {
      left = combine(tokens[at++] === '+' ? (a, b) => a + b : (a, b) => a - b, left, product());
    }
    return left;
  }

  function product(): Term | undefined {
    let left = factor();
    while (left && (tokens[at] === '*' || tokens[at] === '/')) {
      left = combine(tokens[at++] === '*' ? (a, b) => a * b : (a, b) => a / b, left, factor());
    }
    return left;
  }

  function factor(): Term | undefined {
    const word = tokens[at++] ?? '';
    if (/^\d/.test(word)) return () => ({ kw: Number(word), counted: Number(word), start: undefined });
    if (word === '(') return closed(sum());
    if (!take('(')) return undefined;
    if (word === 'peak') return peak(tokens[at++] ?? '');
    if (word !== 'max' && word !== 'min') return undefined;
    const terms = [sum()];
    while (take(',')) terms.push(sum());
    return closed(choose(word, terms));
  }

  const closed = (term: Term | undefined): Term | undefined => (take(')') ? term : undefined);

  function peak(reference: string): Term | undefined {
    if (!/^[A-Za-z_]/.test(reference)) return undefined;
    references.push(reference);
    return closed((peakOf) => peakOf(reference));
  }

  const whole = sum();
  if (!whole || at !== tokens.length) return undefined;
  return {
    references,
    evaluate(peakOf) {
      const value = whole(peakOf);
      return value?.start === undefined ? undefined : value; // a constant alone is not a peak
    },
  };
}

/** Splits a formula into tokens; empty when it has an unknown token. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let read = token.exec(text); read; read = token.exec(text)) {
    tokens.push(read[1] ?? read[2] ?? read[3]!);
    if (token.lastIndex === text.length) return tokens;
  }
  return [];
}

/** Combines values; the time is that of the first value that has one. */
function combined(counted: number, values: readonly PeakValue[]): PeakValue {
  const { kw, start } = values.find((value) => value.start !== undefined) ?? values[0]!;
  return { kw, start, counted };
}

function combine(calculate: (a: number, b: number) => number, left: Term, right: Term | undefined): Term | undefined {
  if (!right) return undefined;
  return (peakOf) => {
    const [a, b] = [left(peakOf), right(peakOf)];
    return a && b && combined(calculate(a.counted, b.counted), [a, b]);
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
    return best?.start === undefined ? best && combined(best.counted, values) : best;
  };
}
