import { useEffect, useRef } from 'preact/hooks';
import { getCrypto } from '#contract/gateway/identity.ts';
import { Icon } from '../parts/icon.tsx';
import { useLoad } from '../parts/load.tsx';
import { Link, place } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import { gateway } from './gateway-api.ts';
import { laterPlaces, PlaceLink } from './places.tsx';

const t = texts({
  en: { start: 'Ohmstead gateway, to what flows now', menu: 'More pages', serial: 'Serial number of this gateway' },
  sv: { start: 'Ohmstead gateway, till det som flödar nu', menu: 'Fler sidor', serial: 'Gatewayens serienummer' },
});

export function Head() {
  const menu = useRef<HTMLDetailsElement>(null);
  const identity = useLoad((signal) => gateway.call(getCrypto, { signal }), []);
  const here = place.value.pathname;
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [here]);
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
      <details class="menu push" ref={menu}>
        <summary aria-label={t('menu')}>
          <Icon name="more" />
        </summary>
        <ul>
          {laterPlaces.map((each) => (
            <li key={each.name}>
              <PlaceLink {...each} />
            </li>
          ))}
        </ul>
      </details>
    </header>
  );
}
