import { getCrypto } from '#contract/gateway/identity.ts';
import { HeadMenu } from '../parts/head-menu.tsx';
import { useLoad } from '../parts/load.tsx';
import { Link } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import { gateway } from './gateway-api.ts';
import { laterPlaces, PlaceLink } from './places.tsx';

const t = texts({
  en: { start: 'Ohmstead gateway, to what flows now', serial: 'Serial number of this gateway' },
  sv: { start: 'Ohmstead gateway, till det som flödar nu', serial: 'Gatewayens serienummer' },
});

export function Head() {
  const identity = useLoad((signal) => gateway.call(getCrypto, { signal }), []);
  return (
    <header class="head">
      <Link to="/" class="brand" label={t('start')}>
        <img src="/icon.svg" alt="" width="28" height="28" />
        Ohmstead gateway
      </Link>
      {identity.value && (
        <>
          <span class="tag">{identity.value.deviceName}</span>
          <span class="serial soft" title={t('serial')}>
            {identity.value.serialNumber}
          </span>
        </>
      )}
      <HeadMenu>
        {laterPlaces.map((each) => (
          <li key={each.name}>
            <PlaceLink {...each} />
          </li>
        ))}
      </HeadMenu>
    </header>
  );
}
