import { texts } from './text.ts';

/** What a DER is, in a word or two. */
export const derWords = texts({
  en: { solar: 'Solar', battery: 'Battery', meter: 'Meter', ev_charger_port: 'Car charger', load: 'Load' },
  sv: { solar: 'Sol', battery: 'Batteri', meter: 'Mätare', ev_charger_port: 'Billaddare', load: 'Förbrukare' },
});
