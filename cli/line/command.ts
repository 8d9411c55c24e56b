import type { TObject } from 'typebox';

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };

/** What a command sees of the world it was started in. */
export type Shell = {
  env: Record<string, string | undefined>;
  version: string;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** what the program ends with, unless it fails */
  exitCode: number;
  /** Ends the program, whatever is still under way. */
  leave(): void;
  /** Aborts when somebody does not want to wait any more. */
  untilInterrupted(): AbortSignal;
};

export type Option = {
  says: string;
  /** what its value is called in help; an option without one is on or off */
  value?: string;
  oneOf?: readonly string[];
  required?: boolean;
};

export type Argument = {
  name: string;
  says: string;
  oneOf?: readonly string[];
  /** only the last ones */
  optional?: true;
  /** takes all words that follow; only the last one */
  many?: true;
};

export type Command = {
  /** the words that call it, for example admin identity create */
  name: string;
  summary: string;
  arguments: readonly Argument[];
  options: Readonly<Record<string, Option>>;
  /** variables that it reads, for its help */
  environment?: TObject;
  /** what fields of the API are called on this command line, where their option has another name */
  fields?: Readonly<Record<string, string>>;
  /** what follows `ohmstead` */
  examples: readonly string[];
  run(given: Given, shell: Shell): Promise<void>;
};

export type Given = {
  arguments: Record<string, string | undefined>;
  options: Record<string, string | boolean | undefined>;
};

type Word<O extends Option | Argument> = O extends { oneOf: readonly (infer W)[] } ? W : string;

type Value<O extends Option> = O extends { value: string }
  ? O extends { required: true }
    ? Word<O>
    : Word<O> | undefined
  : boolean;

type TypedCommand<Arguments extends readonly Argument[], Options extends Record<string, Option>> = Omit<
  Command,
  'arguments' | 'options' | 'run'
> & {
  arguments?: Arguments;
  options: Options;
  run(
    given: {
      arguments: {
        [A in Arguments[number] as A['name']]: A extends { optional: true } ? Word<A> | undefined : Word<A>;
      };
      options: { [Name in keyof Options]: Value<Options[Name]> };
    },
    shell: Shell,
  ): Promise<void>;
};

/** A command whose `run` receives what its arguments and options declare. */
export const command = <
  const Options extends Record<string, Option>,
  const Arguments extends readonly Argument[] = readonly [],
>(
  typed: TypedCommand<Arguments, Options>,
): Command => ({ arguments: [], ...typed });
