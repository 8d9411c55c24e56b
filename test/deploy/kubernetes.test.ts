import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { CloudConfig } from '#cloud/config.ts';
import { getHealth, getReady } from '#contract/operations.ts';
import { readConfig } from '#lib/config.ts';
import { root } from '../source-files.ts';
import { readDeploy } from './compose-file.ts';

type Probe = { httpGet: { path: string; port: string } };
type Container = {
  image: string;
  args: string[];
  ports: { name: string; containerPort: number }[];
  readinessProbe: Probe;
  livenessProbe: Probe;
  startupProbe: Probe;
  lifecycle: { preStop: { exec: { command: string[] } } };
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string }[];
};
type Pod = { terminationGracePeriodSeconds: number; containers: [Container]; volumes: { name: string }[] };
type Labels = { matchLabels: { app: string } };
type Manifest = {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    replicas: number;
    maxUnavailable: number;
    selector: Labels & { app: string };
    template: { metadata: { labels: { app: string } }; spec: Pod };
    ports: { targetPort: string }[];
  };
};

const text = readDeploy('kubernetes/ohmstead.yaml');
const manifests = parseAllDocuments(text).map((document) => {
  assert.deepEqual(document.errors, []);
  return document.toJS() as Manifest;
});
const the = (kind: string, name = 'ohmstead'): Manifest =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name)!;
const { replicas, selector, template } = the('Deployment').spec;
const pod = template.spec;
const [container] = pod.containers;
const settings = { ...the('ConfigMap').data, ...the('Secret').stringData };
const portOf = (name: string): number | undefined => container.ports.find((port) => port.name === name)?.containerPort;

suite('the Kubernetes manifests', () => {
  test('are a deployment with its settings, services and disruption budget', () => {
    assert.deepEqual(
      manifests.map(({ kind }) => kind),
      ['ConfigMap', 'Secret', 'Deployment', 'PodDisruptionBudget', 'Service', 'Service'],
    );
    assert.ok(replicas > the('PodDisruptionBudget').spec.maxUnavailable);
  });

  test('set only known settings, which are valid together', () => {
    const known = Object.keys(CloudConfig.properties);
    const isKnown = (name: string): boolean => known.includes(name.replace(/_FILE$/, ''));
    assert.deepEqual(
      Object.keys(settings).filter((name) => !isKnown(name)),
      [],
    );
    for (const value of Object.values(settings)) assert.equal(typeof value, 'string');
    const readable = Object.entries(settings).filter(([name]) => !name.endsWith('_FILE'));
    const config = readConfig(CloudConfig, Object.fromEntries(readable));
    assert.equal(config.CLOUD_PORT, portOf('http'));
    assert.equal(config.MQTT_TLS_PORT, portOf('mqtts'));
  });

  test('run the version of this repository, as the Containerfile does', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    assert.equal(container.image, `ohmstead:${version}`);
    assert.deepEqual(container.args, ['cloud']);
    assert.match(readDeploy('Containerfile'), /^USER 10001:10001$/m);
    assert.match(text, /runAsUser: 10001\n/);
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.ok(container.resources.requests.memory && container.resources.requests.cpu);
  });

  test('select the pods, name ports that exist, and mount volumes that exist', () => {
    const { app } = template.metadata.labels;
    assert.equal(selector.matchLabels.app, app);
    assert.equal(the('PodDisruptionBudget').spec.selector.matchLabels.app, app);
    for (const name of ['ohmstead', 'ohmstead-mqtt']) {
      const { selector: of, ports } = the('Service', name).spec;
      assert.equal(of.app, app);
      for (const { targetPort } of ports) assert.ok(portOf(targetPort));
    }
    assert.deepEqual(
      container.volumeMounts.map(({ name }) => name),
      pod.volumes.map(({ name }) => name),
    );
  });

  test('ask whether it is ready and alive, and give it time to drain', () => {
    assert.deepEqual(container.readinessProbe.httpGet, { path: getReady.path, port: 'http' });
    for (const probe of [container.livenessProbe, container.startupProbe])
      assert.deepEqual(probe.httpGet, { path: getHealth.path, port: 'http' });
    const preStopS = Number(container.lifecycle.preStop.exec.command[1]);
    const needed = preStopS + Number(settings.DRAIN_SECONDS) + 15;
    assert.ok(pod.terminationGracePeriodSeconds >= needed, `${needed} s are needed`);
  });
});
