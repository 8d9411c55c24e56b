import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TObject } from 'typebox';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import { priceRoutes } from '#contract/price/routes.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { loadCommands } from '../commands/index.ts';
import { describeFailure } from './failure.ts';

const commands = await loadCommands([]);
const commandOf = (name: string) => commands.find((command) => command.name === name);
const textOf = (error: Problem, name: string): string =>
  describeFailure(error, { command: commandOf(name), env: {} }).text;

/** The paths of all fields that a route can complain about, two levels deep. */
function pathsOf(route: Route): string[] {
  const parts = { body: route.body, query: route.query, params: route.params };
  return Object.entries(parts).flatMap(([part, schema]) =>
    Object.entries((schema as TObject | undefined)?.properties ?? {}).flatMap(([name, property]) => {
      const inner = (property as { items?: TObject }).items?.properties ?? {};
      return [`${part}.${name}`, ...Object.keys(inner).map((each) => `${part}.${name}.0.${each}`)];
    }),
  );
}

test('no command shows the path or the name of a field of any route', () => {
  const paths = [...new Set([...cloudRoutes, ...gatewayRoutes, ...priceRoutes].flatMap(pathsOf))];
  assert.ok(paths.length > 100, String(paths.length));
  let shown = 0;
  for (const { name } of commands) {
    for (const path of paths) {
      for (const error of [
        fieldProblem('unprocessable', path, 'must be a number'),
        new Problem('invalid_request', `${path}: must be a number.`), // a gateway sends the text alone
      ]) {
        const text = textOf(error, name);
        assert.doesNotMatch(text, /\b(body|query|params|headers)\b[.:]/, `${name}: ${text}`);
        assert.match(text, /^(--|<|[A-Z]|the )\S.* must be a number\.$/, `${name}: ${text}`);
        const words = text.replaceAll(/--[\w-]+|<[^>]+>/g, '');
        assert.doesNotMatch(words, /[a-z]_[a-z]/, `${name}: ${text}`);
        shown += 1;
      }
    }
  }
  assert.ok(shown > 10_000, String(shown));
});

for (const { name, message, says } of [
  { name: 'device add', message: 'body.port: must be integer.', says: '--port must be integer.' },
  { name: 'site set', message: 'body.price_area: must be string.', says: '--price-area must be string.' },
  {
    name: 'price total',
    message: 'query.to: must be later; query.vat: must be number.',
    says: '--to must be later; --vat must be number.',
  },
  { name: 'price total', message: 'query.lat: is missing.', says: '--at is missing.' },
  {
    name: 'price now',
    message: 'The area XX is not supported; GET /price/electricity/areas lists them.',
    says: 'The area XX is not supported.',
  },
  {
    name: 'price total',
    message: 'No grid tariff was given (tariff_id): no fees.',
    says: 'No grid tariff was given (--tariff): no fees.',
  },
  { name: 'site show', message: 'body: must be object.', says: 'Must be object.' },
  { name: 'site show', message: 'ohm-1 is not online.', says: 'ohm-1 is not online.' },
  {
    name: 'site show',
    message: 'No grid operator is called karlstads_elnat.',
    says: 'No grid operator is called karlstads_elnat.',
  },
]) {
  test(`${name} shows "${message}" as "${says}"`, () =>
    assert.equal(textOf(new Problem('unprocessable', message), name), says));
}
