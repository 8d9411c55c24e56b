import { signMessage } from '#contract/gateway/identity.ts';
import { getNetwork, scanWifi } from '#contract/gateway/network.ts';
import { echo, getName, reboot } from '#contract/gateway/system.ts';
import type { LocalDoorOptions } from '#gateway/access/door.ts';
import { openLocal } from './open-local.ts';

export const platform = 'https://energy.example';

/** A gateway whose handlers count how often they were reached. */
export function openCounting(options: Partial<LocalDoorOptions> = {}) {
  const local = openLocal({ cloudUrl: `${platform}/app`, ...options });
  const counted = { count: 0 };
  const reached = <Reply>(reply: Reply) => {
    counted.count += 1;
    return reply;
  };
  local.mount(getName, ({ form }) => reached({ name: form }));
  local.mount(reboot, () => reached({ status: 'success' as const, message: '' }));
  local.mount(signMessage, () => reached({ sign: '', message: '' }));
  local.mount(scanWifi, () => reached({ status: 'sucess' as const, message: '' }));
  local.mount(echo, ({ bodyText, from }) => reached({ echo: `${from} ${bodyText}` }));
  local.mount(getNetwork, () =>
    reached({ wifiStatus: 'unavailable' as const, wifiConnected: false, internetConnected: false }),
  );
  for (const page of ['/', '/app', '/app/*', '/docs', '/redoc', '/openapi.json']) {
    local.app.get(page, async () => reached('page'));
  }
  return { ...local, counted };
}
