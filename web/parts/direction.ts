import type { DerTypeId } from '#contract/der.ts';
import { texts } from './text.ts';

const t = texts({
  en: {
    generating: 'generating',
    dark: 'not generating',
    charging: 'charging',
    discharging: 'discharging',
    idle: 'idle',
    importing: 'importing',
    exporting: 'exporting',
    balanced: 'in balance',
    using: 'using',
    off: 'not using',
    giving: 'giving back',
  },
  sv: {
    generating: 'producerar',
    dark: 'producerar inte',
    charging: 'laddar',
    discharging: 'laddar ur',
    idle: 'vilar',
    importing: 'köper',
    exporting: 'säljer',
    balanced: 'i balans',
    using: 'använder',
    off: 'använder inget',
    giving: 'ger tillbaka',
  },
});

export const idleW = 42; // below it nothing worth a motion flows: standby of an inverter, noise of a meter

/** Which way power flows, in a word; the signs are those of docs/units-and-signs.md. */
export function directionOf(type: DerTypeId, watt: number): string {
  const isIdle = Math.abs(watt) < idleW;
  switch (type) {
    case 'solar':
      return t(isIdle ? 'dark' : 'generating');
    case 'battery':
      return t(isIdle ? 'idle' : watt > 0 ? 'charging' : 'discharging');
    case 'ev_charger_port':
      return t(isIdle ? 'idle' : watt > 0 ? 'charging' : 'giving');
    case 'load':
      return t(isIdle ? 'off' : watt > 0 ? 'using' : 'giving');
    case 'meter':
      return t(isIdle ? 'balanced' : watt > 0 ? 'importing' : 'exporting');
  }
}
