import { useSignal } from '@preact/signals';
import { createClient } from '#contract/client.ts';
import { revokeToken } from '#contract/cloud/identity.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { editable } from '../../parts/bound-value.ts';
import { Code, CopyButton } from '../../parts/copy.tsx';
import { type Choice, Segments, Select } from '../../parts/field.tsx';
import { Card, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { dateAndTime, texts } from '../../parts/text.ts';
import { type CreatedToken, forgetToken, rememberToken, validTokens } from '../created-tokens.ts';
import { api, createToken } from '../session.ts';
import { allSites, currentSiteId } from '../site.ts';
import { EventViewer } from './event-viewer.tsx';
import { Reference } from './reference.tsx';
import './developer.css';

const t = texts({
  says: 'Use the same API as these pages. Your IDs are filled in for you.',
  tokens: 'API tokens',
  tokensSays:
    'A token acts on your behalf until it expires. It is listed here until you revoke it, sign out or close this tab, and cannot be shown again after that.',
  create: 'Create token',
  until: 'expires {time}',
  examples: 'Examples',
  kind: 'Example',
  token: 'Replace TOKEN with a token from this page.',
  sensor:
    'Replace TOKEN with a token from this page. When the token expires (after 24 hours by default), the sensor stops until you replace it. A gateway can also send everything to Home Assistant without a token: set HOME_ASSISTANT_URL in its settings.',
  key: 'key.pem is your saved key file. The client is part of the ohmstead package: run npm pack in its source code, then npm install the resulting file in your project.',
  broker:
    'Ask the platform operator for the address of the MQTT broker (usually the platform’s host, port 1883 or 8883).',
});

export default function DeveloperPage() {
  const sites = useLoad(allSites, []);
  const chosen = useSignal(currentSiteId() ?? '');
  return (
    <>
      <PageHead title={t('developer')} says={t('says')} />
      <Loaded from={sites}>
        {(list) => {
          const site = list.find(({ id }) => id === chosen.value) ?? list[0];
          return (
            <>
              {list.length > 1 && site && (
                <Select
                  label={t('site')}
                  value={editable(site.id, (id) => (chosen.value = id))}
                  choices={list.map(({ id, name }) => ({ value: id, label: name }))}
                />
              )}
              <div class="cards">
                <Tokens />
                <Snippets site={site} />
              </div>
              {site && <EventViewer key={site.id} siteId={site.id} />}
              <Reference site={site} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Tokens are separate from the session, so revoking one does not sign the page out. */
function Tokens() {
  const { identityId } = api();
  const make = useAction(async () => {
    const { token, expires_at } = await createToken();
    rememberToken({ token, expiresAt: expires_at, identityId });
  });
  return (
    <Card title={t('tokens')} says={t('tokensSays')}>
      <div class="actions">
        <ActionButton does={make} label={t('create')} />
      </div>
      {validTokens(identityId, now.value).map((each) => (
        <Token key={each.token} made={each} />
      ))}
    </Card>
  );
}

function Token({ made }: { made: CreatedToken }) {
  const { token, expiresAt } = made;
  const end = useAction(async () => {
    await createClient({ baseUrl: location.origin, token }).call(revokeToken);
    forgetToken(made);
  });
  return (
    <div class="token">
      <code>{token}</code>
      <span class="says">{t('until', { time: dateAndTime(Date.parse(expiresAt)) })}</span>
      <div class="actions">
        <CopyButton text={token} />
        <ActionButton does={end} tone="danger" label={t('revoke')} />
      </div>
    </div>
  );
}

const notes = { curl: 'token', client: 'key', mqtt: 'broker', 'home-assistant': 'sensor' } as const;
type Kind = keyof typeof notes;

const kinds: readonly Choice<Kind>[] = [
  { value: 'curl', label: 'curl' },
  { value: 'client', label: 'TypeScript' },
  { value: 'mqtt', label: 'MQTT' },
  { value: 'home-assistant', label: 'Home Assistant' },
];

type SnippetSite = Pick<Site, 'id' | 'org_id' | 'name'>;

/** Example code with the person's IDs filled in. */
function Snippets({ site = { id: 'SITE_ID', org_id: 'ORG_ID', name: 'Home' } }: { site?: SnippetSite | undefined }) {
  const kind = useSignal<Kind>('curl');
  return (
    <Card title={t('examples')}>
      <Segments label={t('kind')} value={kind} choices={kinds} />
      <Code>{examplesFor(site)[kind.value]}</Code>
      <p class="says">{t(notes[kind.value])}</p>
    </Card>
  );
}

function examplesFor({ id, org_id, name }: SnippetSite): Record<Kind, string> {
  const { origin: url, hostname } = location;
  const { identityId } = api();
  return {
    curl: `curl -N ${url}/stream/sites/${id} \\
  -H "Authorization: Bearer TOKEN"

curl "${url}/sites/${id}/telemetry?resolution=1h" \\
  -H "Authorization: Bearer TOKEN"`,
    client: `import { readFile } from 'node:fs/promises';
import { connect, keyFromPem } from 'ohmstead/client';

const key = await keyFromPem(await readFile('key.pem', 'utf8'));
const ohmstead = await connect('${url}', { key });
for await (const event of ohmstead.stream('${id}')) {
  if (event.type === 'reading') console.log(event.reading);
}`,
    mqtt: `mosquitto_sub -h ${hostname} -p 1883 \\
  -i ${identityId} -u ${identityId} -P TOKEN \\
  -t 'orgs/${org_id}/#' -v`,
    'home-assistant': `rest:
  - resource: ${url}/sites/${id}/telemetry?resolution=1m
    headers:
      Authorization: Bearer TOKEN
    scan_interval: 60
    sensor:
      - name: ${JSON.stringify(name)}
        unit_of_measurement: W
        device_class: power
        value_template: >-
          {{ (value_json.series | selectattr('kind', 'eq', 'load') | first).points[-1].W | round }}`,
  };
}
