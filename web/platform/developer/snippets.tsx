import { useSignal } from '@preact/signals';
import type { Site } from '#contract/cloud/sites.ts';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/copy.tsx';
import { Segments } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  en: {
    title: 'To begin with',
    kind: 'Kind of example',
    token: 'Put a token from this page in the place of TOKEN.',
    sensor:
      'Put a token from this page in the place of TOKEN. When it ends, after 24 hours unless the operator of the platform chose otherwise, the sensor stops and needs another. A gateway can tell Home Assistant everything itself, without a token: with HOME_ASSISTANT_URL in its settings.',
    key: 'key.pem is the key file that you saved. The client is part of the package ohmstead: npm pack in its source makes a file, and npm install with that file gives your program the client.',
    broker: 'On the address of the broker, which the operator knows (the platform’s host, port 1883 or 8883).',
  },
  sv: {
    title: 'Att börja med',
    kind: 'Slag av exempel',
    token: 'Sätt en token från den här sidan i stället för TOKEN.',
    sensor:
      'Sätt en token från den här sidan i stället för TOKEN. När den tar slut, efter 24 timmar om driftansvarig inte har valt något annat, stannar sensorn och behöver en ny. En gateway kan själv berätta allt för Home Assistant, utan token: med HOME_ASSISTANT_URL i dess inställningar.',
    key: 'key.pem är nyckelfilen som du sparade. Klienten hör till paketet ohmstead: npm pack i dess källkod gör en fil, och npm install med den filen ger ditt program klienten.',
    broker: 'På meddelandetjänstens adress, som driftansvarig känner (plattformens värd, port 1883 eller 8883).',
  },
});

const kinds = ['curl', 'client', 'mqtt', 'home-assistant'] as const;
type Kind = (typeof kinds)[number];

const labels: Record<Kind, string> = {
  curl: 'curl',
  client: 'TypeScript',
  mqtt: 'MQTT',
  'home-assistant': 'Home Assistant',
};

const notes = { curl: 'token', client: 'key', mqtt: 'broker', 'home-assistant': 'sensor' } as const;

/** A few lines to copy, with the ids of the person in them. */
export function Snippets({ site }: { site: Site | undefined }) {
  const kind = useSignal<string>('curl');
  const chosen = kind.value as Kind;
  const ids = {
    url: location.origin,
    identity: api().identityId,
    site: site?.id ?? 'SITE_ID',
    org: site?.org_id ?? 'ORG_ID',
    name: JSON.stringify(site?.name ?? 'Home'),
  };
  return (
    <Card title={t('title')}>
      <Segments label={t('kind')} value={kind} choices={kinds.map((value) => ({ value, label: labels[value] }))} />
      <Code>{lines[chosen](ids)}</Code>
      <p class="says">{t(notes[chosen])}</p>
    </Card>
  );
}

type Ids = { url: string; identity: string; site: string; org: string; name: string };

const lines: Record<Kind, (ids: Ids) => string> = {
  curl: ({ url, site }) => `curl -N ${url}/stream/sites/${site} \\
  -H "Authorization: Bearer TOKEN"

curl "${url}/sites/${site}/telemetry?resolution=1h" \\
  -H "Authorization: Bearer TOKEN"`,
  client: ({ url, site }) => `import { readFile } from 'node:fs/promises';
import { connect, keyFromPem } from 'ohmstead/client';

const key = await keyFromPem(await readFile('key.pem', 'utf8'));
const ohmstead = await connect('${url}', { key });
for await (const event of ohmstead.stream('${site}')) {
  if (event.type === 'reading') console.log(event.reading);
}`,
  mqtt: ({ identity, org }) => `mosquitto_sub -h ${location.hostname} -p 1883 \\
  -i ${identity} -u ${identity} -P TOKEN \\
  -t 'orgs/${org}/#' -v`,
  'home-assistant': ({ url, site, name }) => `rest:
  - resource: ${url}/sites/${site}/telemetry?resolution=1m
    headers:
      Authorization: Bearer TOKEN
    scan_interval: 60
    sensor:
      - name: ${name}
        unit_of_measurement: W
        device_class: power
        value_template: >-
          {{ (value_json.series | selectattr('kind', 'eq', 'load') | first).points[-1].W | round }}`,
};
