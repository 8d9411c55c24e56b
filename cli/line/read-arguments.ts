import { parseArgs } from 'node:util';
import type { Command, Option, ParsedArguments } from './command.ts';
import { UsageError } from './command.ts';
import { didYouMean } from './nearest.ts';

/** Parses the arguments of a command and checks them against its declaration. Returns undefined for --help. */
export function readArguments(command: Command, args: string[]): ParsedArguments | undefined {
  const declared: Record<string, Option> = { ...command.options, help: { help: '' } };
  const { tokens, values, positionals } = withNegatives(args, (escaped) =>
    parseArgs({
      args: escaped,
      strict: false, // unknown options are reported below, with a suggestion
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
  const wrong = (sentence: string): UsageError => new UsageError(sentence);

  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = declared[token.name];
    const sentence = option ? mistake(token, option) : unknownOption(token.rawName, Object.keys(declared));
    if (sentence) throw wrong(sentence);
  }
  const options: ParsedArguments['options'] = {};
  for (const [name, { value, required, read, default: fallback }] of Object.entries(command.options)) {
    const given = values[name] ?? (value ? fallback : false);
    if (required && given === undefined) throw wrong(`Missing option --${name} ${value}.`);
    options[name] = read && typeof given === 'string' ? read(given, `--${name}`) : given;
  }
  const wanted = command.arguments.slice(positionals.length).filter(({ optional }) => !optional);
  const missing = wanted.map(({ name }) => `<${name}>`);
  if (missing.length > 0) throw wrong(`Missing argument ${missing.join(' and ')}.`);
  const { length } = command.arguments;
  if (command.arguments.at(-1)?.many && positionals.length > length)
    positionals.push(positionals.splice(length - 1).join(' '));
  const extra = positionals[length];
  if (extra !== undefined) throw wrong(`Unexpected argument "${extra}".`);
  for (const [index, { name, oneOf }] of command.arguments.entries()) {
    const given = positionals[index];
    if (oneOf && given !== undefined && !oneOf.includes(given)) throw wrong(notOneOf(`<${name}>`, given, oneOf));
  }

  return {
    arguments: Object.fromEntries(command.arguments.map(({ name }, index) => [name, positionals[index]])),
    options,
  };
}

const mark = '\u0000';

/** Parses arguments so that -1kW is a value and not the options -1, -k and -W. */
function withNegatives<Parsed extends { tokens: object[]; values: object; positionals: string[] }>(
  args: readonly string[],
  parse: (escaped: string[]) => Parsed,
): Parsed {
  const parsed = parse(args.map((arg) => (/^-[\d.]/.test(arg) ? mark + arg : arg)));
  const unescaped = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text);
  for (const each of [...parsed.tokens, parsed.values])
    for (const [name, value] of Object.entries(each))
      if (typeof value === 'string') Object.assign(each, { [name]: unescaped(value) });
  return { ...parsed, positionals: parsed.positionals.map(unescaped) };
}

type Token = { rawName: string; value: string | undefined; inlineValue: boolean | undefined };

function mistake({ rawName, value, inlineValue }: Token, option: Option): string | undefined {
  if (!option.value) return inlineValue ? `${rawName} takes no value.` : undefined;
  if (!value) return `${rawName} needs a value.`;
  if (!inlineValue && /^-(?![\d.])/.test(value))
    return `${rawName} needs a value. For a value that starts with -, write ${rawName}=${value}.`;
  return option.oneOf && !option.oneOf.includes(value) ? notOneOf(rawName, value, option.oneOf) : undefined;
}

const notOneOf = (what: string, given: string, words: readonly string[]): string =>
  `${what} must be one of ${words.join(', ')}${didYouMean(given, words)}`;

function unknownOption(rawName: string, names: readonly string[]): string {
  const options = names.map((name) => `--${name}`);
  return `Unknown option ${rawName}${didYouMean(rawName, options)}`;
}
