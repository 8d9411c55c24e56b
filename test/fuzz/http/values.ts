import type { Schema } from '#contract/openapi/document.ts';
import type { Random } from '#gateway/p1/testing/fuzz-damage.ts';

/** Existing ids, by the name of a field or a parameter. */
export type Known = (name: string) => readonly unknown[];

export type Values = {
  /** A value that the schema accepts, as far as a schema can tell. */
  valid(schema: Schema, name?: string): unknown;
  pick<T>(list: readonly T[]): T;
  /** True once in that many calls. */
  oneIn(times: number): boolean;
};

const deepest = 6;
const mostItems = 3;

// Each is tried against the pattern of a text.
// biome-ignore format: a row of words
const texts = [
  'House 7', 'a', 'Åsa 🔌', 'SE', 'SE3', 'abc-1', 'inverter', '2026-06-01', '2026-01-14', '12:30:00', 'PT1H', 'P1D', 'P1M', '2026-06-01T12:00:00',
  '2026-06-01T12:00:00Z', '1780315200000', '00000000-0000-4000-8000-000000000000', 'W,V', 'EUR', 'SEK', 'x'.repeat(64), 'ohm-0123456789abcdef', 'name',
];

export function createValues(components: Record<string, Schema>, known: Known, random: Random): Values {
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const oneIn = (times: number): boolean => random.below(times) === 0;

  function valid(schema: Schema, name = '', depth = 0): unknown {
    if (schema.$ref) return valid(components[schema.$ref.split('/').at(-1)!]!, name, depth);
    const things = known(name);
    if (things.length > 0) return pick(things);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    if (schema.default !== undefined && oneIn(4)) return schema.default;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return valid(pick(alternatives), name, depth);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => valid(part, name, depth)));
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type;
    switch (type) {
      case 'object':
        return object(schema, depth);
      case 'array': {
        const least = schema.minItems ?? 0;
        const count = least + random.below(Math.max(1, Math.min(mostItems, (schema.maxItems ?? mostItems) - least)));
        return Array.from({ length: count }, () => valid(schema.items ?? {}, name, depth + 1));
      }
      case 'string':
        return text(schema);
      case 'integer':
      case 'number':
        return number(schema, type === 'integer');
      case 'boolean':
        return oneIn(2);
      case 'null':
        return null;
      default:
        return pick([null, 7, 'x', { x: [1] }, [true]]);
    }
  }

  function object({ properties = {}, required = [], patternProperties, additionalProperties }: Schema, depth: number) {
    const fields = Object.entries(properties)
      .filter(([name]) => required.includes(name) || (depth < deepest && oneIn(2)))
      .map(([name, property]): [string, unknown] => [name, valid(property, name, depth + 1)]);
    const free = Object.values(patternProperties ?? {})[0] ?? additionalProperties;
    if (typeof free === 'object' && oneIn(2)) fields.push([pick(['1', '13050', 'W', 'x']), valid(free, '', depth + 1)]);
    return Object.fromEntries(fields);
  }

  function text({ pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): string {
    if (format === 'date-time') return pick(['2026-06-01T12:00:00Z', '2026-01-14T00:00:00+01:00']);
    if (format === 'date') return pick(['2026-06-01', '2026-01-14']);
    const form = new RegExp(pattern ?? '', 'u');
    const fitting = texts.filter((each) => form.test(each) && each.length >= minLength && each.length <= maxLength);
    return fitting.length > 0 ? pick(fitting) : 'x'.repeat(Math.max(1, minLength));
  }

  function number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema, isInteger: boolean): number {
    const least = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1);
    const most = maximum ?? (exclusiveMaximum === undefined ? least + 100_000 : exclusiveMaximum - 1);
    if (oneIn(4)) return pick([least, most]);
    const value = least + ((most - least) * random.below(1_000_001)) / 1_000_000;
    return isInteger ? Math.round(value) : value;
  }

  return { valid: (schema, name) => valid(schema, name), pick, oneIn };
}
