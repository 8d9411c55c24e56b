import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { CloudConfig } from '#cloud/config.ts';
import { getHealth } from '#contract/operations.ts';
import { readConfig } from '#lib/config.ts';
import { root } from '../source-files.ts';
import { readCompose, readDeploy } from './compose-file.ts';

const defaults = readConfig(CloudConfig, {});
const image = readDeploy('Containerfile')
  .split(/^FROM /m)
  .at(-1)!;
const kubernetes = readDeploy('kubernetes/ohmstead.yaml');
const ownServices = Object.entries(readCompose().services).filter(
  ([, { build }]) => build?.dockerfile === 'deploy/Containerfile',
);
const documents = globSync('docs/*.md', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
const units = globSync('ohmstead-*.service', { cwd: join(root, 'deploy/systemd') });
const hardening = readDeploy('systemd/ohmstead-.service.d/hardening.conf');

/** Returns the first groups of all matches, without repetitions. */
const valuesOf = (texts: readonly string[], pattern: RegExp): string[] =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, value]) => value!)))].toSorted();

const singleValue = (text: string, pattern: RegExp): string => {
  const values = valuesOf([text], pattern);
  assert.equal(values.length, 1, `${pattern}: ${values.join(', ')}`);
  return values[0]!;
};

suite('containers, units, manifests and documents', () => {
  test('have the same user', () => {
    const id = singleValue(image, /(?:--[gu]id |USER |(?<=USER \d+):)(\d+)/g);
    assert.deepEqual(valuesOf([kubernetes], /(?:runAsUser|runAsGroup|fsGroup): (\d+)/g), [id]);
    for (const [name, { user }] of ownServices) assert.equal(user, `${id}:${id}`, name);
    assert.deepEqual(valuesOf(documents, /-[go] (\d{4,})\b/g), [id]);

    const user = singleValue(hardening, /^User=(.*)$/gm);
    assert.equal(singleValue(hardening, /^Group=(.*)$/gm), user);
    assert.equal(singleValue(readDeploy('systemd/ohmstead.sysusers'), /^u (\S+)/gm), user);
    assert.deepEqual(valuesOf(documents, /install .*-[og] ([a-z]+)/g), [user]);
  });

  test('have the same data folders and mounted paths', () => {
    const data = singleValue(image, /^VOLUME (.*)$/gm);
    assert.equal(singleValue(image, /^WORKDIR (.*)$/gm), data);
    assert.equal(singleValue(image, /--home-dir (\S+)/g), data);
    assert.equal(singleValue(image, /install -d .*-m 0700 (\S+)/g), data);
    for (const [name, { environment = {}, volumes = [] }] of ownServices) {
      assert.equal(environment.DATA_DIR ?? environment.GATEWAY_DATA_DIR, data, name);
      assert.ok(volumes.includes(`${name}:${data}`), name);
    }
    const [settings, , { spec: deployment }] = parseAllDocuments(kubernetes).map((each) => each.toJS());
    const mounts: { name: string; mountPath: string }[] = deployment.template.spec.containers[0].volumeMounts;
    const pathOf = (volume: string) => mounts.find(({ name }) => name === volume)?.mountPath;
    assert.deepEqual([settings.data.DATA_DIR, pathOf('data')], [data, data]);
    for (const name of ['MQTT_TLS_CERT_FILE', 'MQTT_TLS_KEY_FILE'])
      assert.equal(dirname(settings.data[name]), pathOf('tls'));
    assert.equal(dirname(singleValue(image, /NODE_COMPILE_CACHE=(\S+)/g)), pathOf('tmp'));
  });

  test('have the same command and ports', () => {
    const command = singleValue(image, /^CMD \["(\w+)"\]$/gm);
    assert.equal(singleValue(kubernetes, /args: \[(\w+)\]/g), command);
    assert.equal(singleValue(image, /^EXPOSE (.*)$/gm), `${defaults.CLOUD_PORT} ${defaults.MQTT_PORT}`);
    const health = singleValue(image, /HEALTH_URL \?\? '(.*?)'/g);
    assert.equal(health, `http://127.0.0.1:${defaults.CLOUD_PORT}${getHealth.path}`);
    for (const [name, { environment = {} }] of ownServices) {
      const port = environment.CLOUD_PORT ?? environment.GATEWAY_PORT;
      const asked = environment.HEALTH_URL ?? health;
      assert.equal(asked, `http://127.0.0.1:${port}${getHealth.path}`, name);
    }
  });

  test('metrics are collected from every platform and gateway', () => {
    const { scrape_configs } = parse(readDeploy('prometheus/prometheus.yaml')) as {
      scrape_configs: { static_configs: { targets: string[] }[] }[];
    };
    const targets = scrape_configs.flatMap((job) => job.static_configs.flatMap((config) => config.targets));
    const expected = ownServices
      .filter(([name]) => name !== 'demo')
      .map(([name, { environment = {}, command = [] }]) =>
        command[0] === 'gateway'
          ? `${environment.GATEWAY_NAMES}:${environment.GATEWAY_PORT}`
          : `${name}:${environment.CLOUD_PORT}`,
      );
    assert.deepEqual(targets.toSorted(), expected.toSorted());
  });

  for (const unit of units)
    test(`${unit} has the paths of its program, which the documents name`, () => {
      const text = readDeploy(`systemd/${unit}`);
      const program = unit.replace(/^ohmstead-(\w+)@?\.service$/, '$1');
      const bin = dirname(singleValue(text, /^ExecStart=(\S+)/gm));
      assert.equal(
        singleValue(text, /^ExecStart=(.*)$/gm),
        `${bin}/ohmstead ${program === 'node' ? 'cloud' : program}`,
      );
      assert.equal(singleValue(hardening, /^Environment=PATH=([^:]+)/gm), bin);
      assert.deepEqual(valuesOf(documents, /--prefix (\S+)/g), [bin.replace('/node_modules/.bin', '')]);
      assert.deepEqual(valuesOf(documents, /PATH="(.*?):\$PATH"/g), [bin]);

      const folder = singleValue(text, /^StateDirectory=(.*)$/gm);
      assert.equal(folder, program === 'cloud' ? 'ohmstead' : unit.replace('.service', '').replace('@', '-%i'));
      assert.equal(singleValue(text, /^WorkingDirectory=(.*)$/gm), `%S/${folder}`);
      assert.equal(singleValue(text, /^Environment=\w*DATA_DIR=(.*)$/gm), `%S/${folder}`);
      assert.equal(singleValue(text, /^CacheDirectory=(.*)$/gm), folder);
      assert.equal(singleValue(text, /^Environment=NODE_COMPILE_CACHE=(.*)$/gm), `%C/${folder}`);
      const own = `/etc/ohmstead/${program}.env`;
      assert.ok(valuesOf([text], /^EnvironmentFile=-?(.*)$/gm).includes(own));
    });

  test('the documents name only data folders and environment files of units', () => {
    const texts = units.map((unit) => readDeploy(`systemd/${unit}`));
    const folders = valuesOf(texts, /^StateDirectory=(.*)$/gm).map((folder) => `/var/lib/${folder}`);
    const named = valuesOf(documents, /(\/var\/lib\/ohmstead[\w-]*)/g);
    assert.deepEqual(
      named.filter((folder) => !folders.includes(folder)),
      [],
    );
    const files = valuesOf(texts, /^EnvironmentFile=-?(.*)$/gm);
    const namedFiles = valuesOf(documents, /(\/etc\/ohmstead\/[\w-]+\.env)/g);
    assert.deepEqual(
      namedFiles.filter((file) => !files.includes(file)),
      [],
    );
    const ports = singleValue(
      readDeploy('systemd/ohmstead-node@.service'),
      /^# ohmstead-node@1 listens on (\d+ and \d+)/gm,
    );
    const node = readDeploy('systemd/ohmstead-node@.service').replaceAll('%i', '1');
    assert.equal(ports, `${singleValue(node, /CLOUD_PORT=(\d+)/g)} and ${singleValue(node, /MQTT_PORT=(\d+)/g)}`);
    assert.ok(documents.some((text) => text.includes(`${ports} for the first`)));
  });
});
