import { element, row } from './element.js';

const ago = (at) => `${Math.max(0, Math.round((Date.now() - at) / 1000))} s ago`;

/** How the gateway and its platform are. */
export function platformTable({ connected, broker, waiting, bytes, acknowledged, dropped }) {
  const drops = Object.entries(dropped).map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`);
  return element('table', {}, [
    row('Broker', broker ? `${broker}, ${connected ? 'connected' : 'not connected'}` : 'none set'),
    row('Samples waiting', `${waiting.toLocaleString()} (${(bytes / 1e6).toFixed(1)} MB on disk)`),
    row('Last acknowledged', acknowledged ? `number ${acknowledged.seq}, ${ago(acknowledged.at)}` : 'none yet'),
    ...(drops.length > 0 ? [row('Given up', drops.join(', '))] : []),
  ]);
}

export const signatureList = (signatures) =>
  signatures.length === 0
    ? [element('li', { text: 'None yet.' })]
    : signatures
        .slice(0, 10)
        .map(({ at, message, from }) =>
          element('li', { text: `${new Date(at).toLocaleString()} for ${from}: ${message}` }),
        );
