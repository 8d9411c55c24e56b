import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { startCloud } from '#cloud/main.ts';
import { startGateway } from '#gateway/main.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { readDeploy } from './compose-file.ts';
import { labelsIn, metricsIn } from './promql.ts';

type Panel = { title: string; datasource: { uid: string }; targets: { expr: string }[] };
type Rules = { groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[] };

const dashboards = globSync('deploy/grafana/dashboards/*.json', { cwd: root });
const { groups } = parse(readDeploy('prometheus/alerts.yaml')) as Rules;

/** Every query for metrics, with its source. */
const questions: { by: string; expr: string }[] = [
  ...dashboards.flatMap((path) => {
    const { panels } = JSON.parse(readDeploy(path.slice('deploy/'.length))) as { panels: Panel[] };
    return panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ by: `${path}: ${title}`, expr })));
  }),
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ by: alert, expr }))),
];

/** The metrics that a page declares, with the labels of their samples. */
function read(page: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name, type] of page.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name!];
    for (const one of names) {
      const samples = [...page.matchAll(new RegExp(`^${one}\\{(.*)\\} `, 'gm'))];
      found.set(
        one,
        new Set(samples.flatMap(([, labels]) => [...labels!.matchAll(/(\w+)="/g)].map(([, label]) => label!))),
      );
    }
  }
  return found;
}

suite('dashboards and alerts', () => {
  const shown = new Map<string, Set<string>>([['up', new Set()]]);
  const opened = new AsyncDisposableStack();
  after(() => opened.disposeAsync());
  const folder = temporaryFolder({ after });
  const silent = { write: () => {} };

  before(async () => {
    const cloud = await startCloud(
      { DATA_DIR: join(folder, 'cloud'), CLOUD_PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'silent' },
      { version: 'test' },
    );
    opened.defer(() => cloud.close());
    const gateway = await startGateway(
      { GATEWAY_DATA_DIR: join(folder, 'gateway'), GATEWAY_PORT: '0', GATEWAY_HOST: '127.0.0.1', MDNS: 'false' },
      { version: 'test', logTo: silent },
    );
    opened.defer(() => gateway.close());
    for (const { url } of [cloud, gateway]) {
      await fetch(`${url}/health`);
      const page = await (await fetch(`${url}/metrics`)).text();
      for (const [name, labels] of read(page)) shown.set(name, new Set([...labels, ...(shown.get(name) ?? [])]));
    }
  });

  test('are two dashboards with more than thirty queries', () => {
    assert.equal(dashboards.length, 2);
    assert.ok(questions.length > 30);
  });

  test('each query is about metrics that the programs expose', () => {
    for (const { by, expr } of questions) {
      const asked = metricsIn(expr);
      assert.ok(asked.length > 0, `${by}: ${expr}`);
      assert.deepEqual(
        asked.filter((name) => !shown.has(name)),
        [],
        `${by}: ${expr}`,
      );
    }
  });

  test('each label in a query belongs to its metric', () => {
    const ofPrometheus = ['job', 'instance'];
    for (const { by, expr } of questions) {
      for (const [metric, labels] of labelsIn(expr)) {
        const known = shown.get(metric)!;
        if (known.size === 0) continue; // nothing was counted yet
        assert.deepEqual(
          labels.filter((label) => !known.has(label) && !ofPrometheus.includes(label)),
          [],
          by,
        );
      }
    }
  });

  test('every panel uses the provisioned data source', () => {
    const { datasources } = parse(readDeploy('grafana/provisioning/datasources/prometheus.yaml'));
    for (const path of dashboards) {
      const { panels } = JSON.parse(readDeploy(path.slice('deploy/'.length))) as { panels: Panel[] };
      for (const { datasource } of panels) assert.equal(datasource.uid, datasources[0].uid);
    }
  });

  test('Prometheus loads its files, and raises alerts when it should and no sooner', {
    skip: promtoolMissing(),
  }, async () => {
    const promtool = (...words: string[]) => promisify(execFile)('promtool', words, { cwd: root });
    await promtool('check', 'config', 'deploy/prometheus/prometheus.yaml');
    await promtool('test', 'rules', 'test/deploy/alerts.test.yaml');
  });
});

function promtoolMissing(): string | false {
  return spawnSync('promtool', ['--version']).error ? 'Rules are tried by promtool, which is not here.' : false;
}
