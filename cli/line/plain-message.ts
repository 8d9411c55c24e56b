import type { Command } from './command.ts';

type Words = Pick<Command, 'options' | 'arguments' | 'fields'>;

const noWords: Words = { options: {}, arguments: [] };

/** Returns the option or argument for a field of the API; undefined when the command has no such option or argument. */
function nameOf(field: string, { options, arguments: given, fields = {} }: Words): string | undefined {
  if (Object.hasOwn(fields, field)) return fields[field];
  const option = field.replaceAll('_', '-');
  if (Object.hasOwn(options, option)) return `--${option}`;
  return given.some(({ name }) => name === field || name === option) ? `<${option}>` : undefined;
}

const plain = (field: string): string => field.replaceAll('_', ' ');

function nameOfPath(path: string, words: Words): string {
  const [first = '', ...rest] = path.split('.').filter(Boolean);
  if (first.startsWith('line ')) return [first, ...rest].join(', '); // a position in a CSV file; its columns have these names
  const inner = rest.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : plain(part)));
  return [nameOf(first, words) ?? plain(first), ...inner].join(' ');
}

const fieldPath = /\b(?:body|query|params|headers)((?:\.[\w-]+(?: \d+)?)*):\s*/g;
const endpoint =
  /[;,]?(?: (?:of|with|see|by))? (?:GET|POST|PUT|PATCH|DELETE) \/[^\s;,]*(?: (?:lists|tells) them)?(?<![.])/g;
const fieldName = /\b[a-z]+(?:_[a-z]+)*_(?:id|ids|w|s|a|key|type|port|power|area|serial|url|uris)\b/g;

/** Rewrites a message of the API for the command line: options instead of fields, and no routes. */
export function plainMessage(message: string, words: Words = noWords): string {
  const rewritten = message
    .replaceAll(fieldPath, (_, path: string) => (path ? `${nameOfPath(path, words)} ` : ''))
    .replaceAll(endpoint, '')
    .replaceAll(/\(([a-z]+(?:_[a-z]+)*)\)/g, (whole, field: string) => {
      const name = nameOf(field, words);
      return name ? `(${name})` : whole;
    })
    .replaceAll(fieldName, (field) => nameOf(field, words) ?? plain(field));
  const isField = /^(?:body|query|params|headers)[.:]/.test(message);
  return isField ? rewritten.replace(/^[a-z]/, (letter) => letter.toUpperCase()) : rewritten;
}
