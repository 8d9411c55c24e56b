import { jsonOption, printResult, tableOf } from '../terminal/output.ts';
import type { Argument, Command, Option, ParsedArguments, Shell, TypedCommand } from './command.ts';

/** The output of a command: a table of items, or a result with its text. With --json, the items or the result. */
export type Report =
  | { items: readonly object[] | AsyncIterable<object>; fields: readonly string[] }
  | { result: object; text: string | readonly string[] };

type Options = Readonly<Record<string, Option>>;

type Context<Shared, Extra> = {
  /** options of every command, beside its own */
  options: Shared;
  /** Returns what `run` gets beside the arguments and options. */
  open(options: ParsedArguments['options'], shell: Shell): Promise<Extra> | Extra;
};

/** Returns a function that defines commands in a context, for example with a session. They print a report. */
export const reportsWith =
  <const Shared extends Options, Extra extends object>(context: Context<Shared, Extra>) =>
  <const Own extends Options = Record<string, never>, const Arguments extends readonly Argument[] = readonly []>(
    name: string,
    typed: TypedCommand<Arguments, Own, Own & Shared & { json: Option }, Extra, Report | undefined>,
  ): Command => {
    const untyped: { run(given: ParsedArguments, shell: Shell): Promise<Report | undefined> } = typed;
    return {
      arguments: [],
      ...typed,
      name,
      options: { ...typed.options, ...context.options, json: jsonOption },
      async run(given, shell) {
        const report = await untyped.run({ ...given, ...(await context.open(given.options, shell)) }, shell);
        if (!report) return;
        const items = 'items' in report ? await Array.fromAsync<object>(report.items) : [];
        const { result, text } = 'items' in report ? { result: items, text: tableOf(items, report.fields) } : report;
        printResult(shell, given.options.json === true, result, [text].flat().join('\n'));
      },
    };
  };

export const report = reportsWith({ options: {}, open: () => ({}) });
