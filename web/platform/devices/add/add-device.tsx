import { useSignal } from '@preact/signals';
import { type Gateway, listGateways } from '#contract/cloud/gateways.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Card } from '../../../parts/card.tsx';
import { Segments, Select } from '../../../parts/field.tsx';
import { gather } from '../../../parts/gather.ts';
import { Loaded, useLoad } from '../../../parts/load.tsx';
import { Link, place } from '../../../parts/router.tsx';
import { texts } from '../../../parts/text.ts';
import { api } from '../../session.ts';
import { ByHand } from './by-hand.tsx';
import { FromGateway } from './from-gateway.tsx';

const t = texts({
  en: {
    title: 'Add a device',
    done: 'Done adding',
    gateway: 'The gateway that reads it',
    online: '{serial}, connected',
    offline: '{serial}, not connected',
    how: 'How to find the device',
    ask: 'Ask the gateway what it reads',
    hand: 'By hand',
    none: 'The organization of this site has no gateway. Claim the one that reads the device first.',
    claim: 'Claim a gateway',
  },
  sv: {
    title: 'Lägg till en enhet',
    done: 'Klar',
    gateway: 'Gatewayen som läser den',
    online: '{serial}, ansluten',
    offline: '{serial}, inte ansluten',
    how: 'Hur enheten hittas',
    ask: 'Fråga gatewayen vad den läser',
    hand: 'För hand',
    none: 'Anläggningens organisation har ingen gateway. Ta först över den som läser enheten.',
    claim: 'Ta över en gateway',
  },
});

type AddProps = { site: SiteDetails; again(): void };

/** Makes a device of a claimed gateway known to the site, so that its values are kept and shown. */
export function AddDevice({ site, again }: AddProps) {
  const { org_id, id } = site;
  const gateways = useLoad((signal) => gather(api().pages(listGateways, { query: { org_id }, signal })), [org_id]);
  return (
    <Card title={t('title')} beside={<Link to={`/app/sites/${encodeURIComponent(id)}/devices`}>{t('done')}</Link>}>
      <Loaded from={gateways}>
        {(list) =>
          list.length === 0 ? (
            <p class="says">
              {t('none')} <Link to={`/app/gateways/claim?site=${id}`}>{t('claim')}</Link>
            </p>
          ) : (
            <Ways site={site} gateways={list} again={again} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Ways({ site, gateways, again }: AddProps & { gateways: readonly Gateway[] }) {
  const asked = gateways.find(({ gateway_serial }) => gateway_serial === place.value.searchParams.get('add'));
  const serial = useSignal((asked ?? gateways[0]!).gateway_serial);
  const how = useSignal('ask');
  const Way = how.value === 'ask' ? FromGateway : ByHand;
  return (
    <>
      <Select
        label={t('gateway')}
        value={serial}
        choices={gateways.map(({ gateway_serial, online }) => ({
          value: gateway_serial,
          label: t(online ? 'online' : 'offline', { serial: gateway_serial }),
        }))}
      />
      <Segments
        label={t('how')}
        value={how}
        choices={[
          { value: 'ask', label: t('ask') },
          { value: 'hand', label: t('hand') },
        ]}
      />
      <Way key={serial.value} serial={serial.value} site={site} again={again} />
    </>
  );
}
