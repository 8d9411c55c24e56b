import { parseArgs } from 'node:util';
import type { Command, Given, Option } from './command.ts';
import { didYouMean, nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/** What was given to a command, checked against what it declares; undefined when its help was asked for. */
export function readArguments(command: Command, args: string[]): Given | undefined {
  const declared: Record<string, Option> = { ...command.options, help: { says: '' } };
  const { tokens, values, positionals } = withNegatives(args, (escaped) =>
    parseArgs({
      args: escaped,
      strict: false, // its mistakes are told here, with the nearest match
      tokens: true,
      allowPositionals: true,
      options: {
        ...Object.fromEntries(
          Object.entries(command.options).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]),
        ),
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  if (values.help === true) return undefined;
  const wrong = (sentence: string): UsageError => new UsageError(sentence, command.name);

  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = declared[token.name];
    const sentence = option ? mistake(token, option) : unknownOption(token.rawName, Object.keys(declared));
    if (sentence) throw wrong(sentence);
  }
  for (const [name, { value, required }] of Object.entries(command.options)) {
    if (required && values[name] === undefined) throw wrong(`--${name} ${value} is missing.`);
    if (!value) values[name] ??= false;
  }
  const wanted = command.arguments.slice(positionals.length).filter(({ optional }) => !optional);
  const missing = wanted.map(({ name }) => `<${name}>`);
  if (missing.length > 0) throw wrong(`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing.`);
  const { length } = command.arguments;
  if (command.arguments.at(-1)?.many && positionals.length > length)
    positionals.push(positionals.splice(length - 1).join(' '));
  const extra = positionals[length];
  if (extra !== undefined) throw wrong(`"${extra}" is one argument too many.`);
  for (const [index, { name, oneOf }] of command.arguments.entries()) {
    const given = positionals[index];
    if (oneOf && given !== undefined && !oneOf.includes(given)) throw wrong(notOneOf(`<${name}>`, given, oneOf));
  }

  return {
    arguments: Object.fromEntries(command.arguments.map(({ name }, index) => [name, positionals[index]])),
    options: values,
  };
}

const mark = '\u0000';

/** Parses arguments in which -1kW is a value and not the options -1, -k and -W. */
function withNegatives<Parsed extends { tokens: object[]; values: object; positionals: string[] }>(
  args: readonly string[],
  parse: (escaped: string[]) => Parsed,
): Parsed {
  const parsed = parse(args.map((arg) => (/^-[\d.]/.test(arg) ? mark + arg : arg)));
  const unescaped = <Value>(value: Value): Value =>
    (typeof value === 'string' && value.startsWith(mark) ? value.slice(1) : value) as Value;
  for (const each of [...parsed.tokens, parsed.values])
    for (const [name, value] of Object.entries(each)) Object.assign(each, { [name]: unescaped(value) });
  return { ...parsed, positionals: parsed.positionals.map(unescaped) };
}

type Token = { rawName: string; value: string | undefined; inlineValue: boolean | undefined };

function mistake({ rawName, value, inlineValue }: Token, option: Option): string | undefined {
  if (!option.value) return inlineValue ? `${rawName} takes no value.` : undefined;
  if (!value) return `${rawName} needs a value.`;
  if (!inlineValue && /^-(?![\d.])/.test(value))
    return `${rawName} needs a value; one that begins with - is ${rawName}=${value}.`;
  return option.oneOf && !option.oneOf.includes(value) ? notOneOf(rawName, value, option.oneOf) : undefined;
}

const notOneOf = (what: string, given: string, words: readonly string[]): string =>
  `${what} is one of ${words.join(', ')}${didYouMean(nearest(given, words))}`;

const unknownOption = (rawName: string, names: readonly string[]): string =>
  `There is no option ${rawName}${didYouMean(
    nearest(
      rawName,
      names.map((name) => `--${name}`),
    ),
  )}`;
