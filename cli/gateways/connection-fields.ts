import { connectionTypes, type Parameter } from '#contract/gateway/connections.ts';
import type { listConnectionTypes, SupportedProfile } from '#contract/gateway/devices.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { Option } from '../line/command.ts';
import { UsageError } from '../line/command.ts';

export type ConnectionForm = ReplyOf<typeof listConnectionTypes>['connection_types'][number];

type Field = ConnectionForm['parameters'][number];

type Options = Readonly<Record<string, string | boolean | undefined>>;

export const optionOf = (field: string): string => field.replaceAll('_', '-');

/** Returns an option for every connection parameter except the profile, which is an argument. */
export function connectionOptions(): object {
  const types: Record<string, { parameters: readonly Parameter[] }> = connectionTypes;
  const all = Object.entries(types).flatMap(([connection, { parameters }]) =>
    parameters.map((parameter) => ({ connection, ...parameter })),
  );
  const byName = Map.groupBy(all, ({ name }) => name);
  byName.delete('profile');
  return Object.fromEntries(
    [...byName].map(([name, uses]): [string, Option] => {
      const words = Map.groupBy(uses, describeParameter);
      const says = [...words].map(([text, same]) => [same.map(({ connection }) => connection).join(', '), text]);
      const value = uses[0]?.type === 'string' ? 'TEXT' : 'NUMBER';
      return [optionOf(name), { value, help: says.map((part) => part.filter(Boolean).join(': ')).join('; ') }];
    }),
  );
}

function describeParameter({ description, default: fallback, isFound }: Parameter): string {
  const usual = fallback !== undefined && !isFound && `default ${fallback}`;
  return [description, usual].filter(Boolean).join(', ');
}

export const describeField = ({ name, required, default: fallback, description }: Field): [string, string] => [
  `--${optionOf(name)}`,
  [
    description,
    fallback !== undefined && `default ${JSON.stringify(fallback)}`,
    required && fallback === undefined && '(required)',
  ]
    .filter(Boolean)
    .join(' '),
];

/** Chooses the first connection type of this profile that has all the given options. */
export function chooseConnection(
  { profile, connection_types }: SupportedProfile,
  forms: readonly ConnectionForm[],
  given: Options,
): ConnectionForm {
  const ways = forms.filter(({ type }) => connection_types.some((known) => known === type));
  const wanted = ways.filter(({ type }) => given.connection === undefined || type === given.connection);
  const names = Object.keys(connectionOptions()).filter((name) => given[name] !== undefined);
  const form = wanted.find(({ parameters }) =>
    names.every((name) => parameters.some((one) => optionOf(one.name) === name)),
  );
  if (form) return form;
  const described = ways.map(({ type, parameters }) => {
    const fields = parameters.filter(({ name }) => name !== 'profile').map(({ name }) => `--${optionOf(name)}`);
    return `  ${type}: ${fields.join(' ')}`;
  });
  throw new UsageError([`${profile} can be connected in these ways:`, ...described].join('\n'));
}

/** Reads the options into the fields of the gateway API. The gateway checks their values. */
export function readConnection(
  { type, parameters }: ConnectionForm,
  { profile }: SupportedProfile,
  given: Options,
): Record<string, string | number> {
  const fields: Record<string, string | number> = { profile };
  const missing: string[] = [];
  for (const parameter of parameters) {
    const text = given[optionOf(parameter.name)];
    if (typeof text === 'string') fields[parameter.name] = sentValue(text, parameter);
    else if (parameter.required && parameter.default === undefined && !(parameter.name in fields))
      missing.push(`--${optionOf(parameter.name)}`);
  }
  if (missing.length === 0) return fields;
  throw new UsageError(`Missing ${missing.join(' and ')} to connect ${profile} over ${type}.`);
}

const sentValue = (text: string, { type }: Field): string | number =>
  type !== 'string' && /^-?\d+$/.test(text) ? Number(text) : text;
