import { getSystem } from '#contract/gateway/system.ts';
import { givenName } from '../parts/gateway-name.ts';
import { useLoad } from '../parts/load.tsx';
import { Pages } from '../parts/router.tsx';
import { Shell } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { gateway } from './gateway-api.ts';
import { pages } from './pages.ts';
import { RestartNotice } from './restart.tsx';
import { TokenDialog } from './token-dialog.tsx';
import './gateway.css';

const t = texts({
  start: 'Ohmstead gateway, start page',
  serial: 'Serial number of the gateway',
});

export function App() {
  return (
    <>
      <Shell
        name="Ohmstead gateway"
        home={{ to: '/', label: t('start') }}
        beside={<GatewayName />}
        main={[
          { label: t('now'), icon: 'now', to: '/' },
          { label: t('devices'), icon: 'devices', to: '/app/devices' },
          { label: t('control'), icon: 'control', to: '/app/control' },
          { label: t('platform'), icon: 'claim', to: '/app/platform' },
          { label: t('system'), icon: 'settings', to: '/app/system' },
        ]}
        later={[
          { label: t('network'), icon: 'network', to: '/app/network' },
          { label: t('log'), icon: 'log', to: '/app/log' },
        ]}
      >
        <RestartNotice />
        <Pages routes={pages} home="/" />
      </Shell>
      <TokenDialog />
    </>
  );
}

function GatewayName() {
  const system = useLoad((signal) => gateway.call(getSystem, { signal }), []);
  const info = system.value?.gateway_info;
  if (!info) return null;
  const name = givenName(info.name);
  return (
    <>
      {name && <span class="tag">{name}</span>}
      <span class="serial soft" title={t('serial')}>
        {info.deviceId}
      </span>
    </>
  );
}
