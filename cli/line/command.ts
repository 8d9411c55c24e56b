import type { TObject } from 'typebox';

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };

/** The environment that a command runs in: variables, streams and exit code. */
export type Shell = {
  env: Record<string, string | undefined>;
  version: string;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** exit code of the program, unless it fails */
  exitCode: number;
  /** Exits at once, without waiting for pending work. */
  exit(): void;
  /** Returns a signal that aborts on Ctrl-C or SIGTERM. */
  untilInterrupted(): AbortSignal;
};

export type Option = {
  help: string;
  /** placeholder of its value in the help; an option without one is a switch */
  value?: string;
  oneOf?: readonly string[];
  required?: boolean;
  /** Parses the value; `name` is for the message of a UsageError. By default the value is text. */
  read?(text: string, name: string): unknown;
  /** the value if the option is not given */
  default?: unknown;
};

export type Argument = {
  name: string;
  help: string;
  oneOf?: readonly string[];
  /** only trailing arguments may be optional */
  optional?: true;
  /** takes all remaining words; only for the last argument */
  many?: true;
};

export type Command = {
  /** the words to type, for example `admin identity create` */
  name: string;
  summary: string;
  arguments: readonly Argument[];
  options: Readonly<Record<string, Option>>;
  /** variables that it reads, shown in its help */
  environment?: TObject;
  /** options for fields of the API whose names differ; used in messages */
  fields?: Readonly<Record<string, string>>;
  /** without the leading `ohmstead` */
  examples: readonly string[];
  run(given: ParsedArguments, shell: Shell): Promise<void>;
};

export type ParsedArguments = {
  arguments: Record<string, string | undefined>;
  options: Record<string, unknown>;
};

type Choice<O> = O extends { read(text: string, name: string): infer Read }
  ? Read
  : O extends { oneOf: readonly (infer Word)[] }
    ? Word
    : string;

type Value<O> = O extends { value: string }
  ? O extends { required: true } | { default: unknown }
    ? Choice<O>
    : Choice<O> | undefined
  : boolean;

export type OptionValues<All> = { -readonly [Name in keyof All]: Value<All[Name]> };

/** A declared command. The types of its arguments and options follow from their declarations. */
export type TypedCommand<Arguments extends readonly Argument[], Own, All, Extra, Result> = Omit<
  Command,
  'name' | 'arguments' | 'options' | 'run'
> & {
  arguments?: Arguments;
  options?: Own;
  run(
    given: Extra & {
      arguments: {
        [A in Arguments[number] as A['name']]: A extends { optional: true } ? Choice<A> | undefined : Choice<A>;
      };
      options: OptionValues<All>;
    },
    shell: Shell,
  ): Promise<Result>;
};

export const command = <
  const Options extends Record<string, Option> = Record<string, never>,
  const Arguments extends readonly Argument[] = readonly [],
>(
  name: string,
  typed: TypedCommand<Arguments, Options, Options, object, void>,
): Command => ({ arguments: [], options: {}, ...typed, name });

/** Thrown when the command line is invalid. `help` is the command or group whose --help explains it, if not the called one. */
export class UsageError extends Error {
  override name = 'UsageError';
  readonly help: string | undefined;

  constructor(sentence: string, help?: string) {
    super(sentence);
    this.help = help;
  }
}
