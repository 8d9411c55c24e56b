import { getSystem } from '#contract/gateway/system.ts';
import { useLoad } from '../parts/load.tsx';
import { Link } from '../parts/router.tsx';
import { HeadMenu } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { gateway } from './gateway-api.ts';
import { laterPlaces, PlaceLink } from './places.tsx';

const t = texts({
  en: { start: 'Ohmstead gateway, to what flows now', serial: 'Serial number of this gateway' },
  sv: { start: 'Ohmstead gateway, till det som flödar nu', serial: 'Gatewayens serienummer' },
});

export function Head() {
  const system = useLoad((signal) => gateway.call(getSystem, { signal }), []);
  const info = system.value?.gateway_info;
  return (
    <header class="head">
      <Link to="/" class="brand" label={t('start')}>
        <img src="/icon.svg" alt="" width="28" height="28" />
        Ohmstead gateway
      </Link>
      {info && (
        <>
          <span class="tag">{info.name}</span>
          <span class="serial soft" title={t('serial')}>
            {info.deviceId}
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
