import { number } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

/** How the Wi-Fi of the gateway is. */
export const wifiWords = texts({
  en: {
    connected: 'connected',
    disconnected: 'on, in no network',
    connecting: 'joining a network',
    disabled: 'switched off',
    unavailable: 'not available',
  },
  sv: {
    connected: 'anslutet',
    disconnected: 'på, men i inget nätverk',
    connecting: 'ansluter till ett nätverk',
    disabled: 'avstängt',
    unavailable: 'finns inte',
  },
});

const t = texts({
  en: { strong: 'strong', good: 'good', weak: 'weak', signal: '{word} ({dbm} dBm)' },
  sv: { strong: 'stark', good: 'bra', weak: 'svag', signal: '{word} ({dbm} dBm)' },
});

/** A strength of signal in words: below -75 dBm connections begin to break. */
export const signalWords = (rssi: number): string =>
  t('signal', { word: t(rssi >= -60 ? 'strong' : rssi >= -75 ? 'good' : 'weak'), dbm: number(rssi) });
