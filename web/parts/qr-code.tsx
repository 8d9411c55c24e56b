import { useLoad } from './load.tsx';
import { texts } from './text.ts';
import './qr-code.css';

const t = texts({
  onlyHere:
    'Phones and other computers cannot open this link, because {host} always names the computer itself. The operator sets the address of the platform (PUBLIC_URL).',
});

const ownHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Draws a link as a QR code, in black on white in every appearance: not every camera reads inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { value } = useLoad(async () => {
    const { encode } = await import('uqr'); // loaded only where a code is shown
    return encode(text, { ecc: 'M', border: 4 });
  }, [text]);
  const { data = [], size = 1 } = value ?? {};
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const { hostname: host } = new URL(text);
  return (
    <>
      <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <path d={cells.join('')} />
      </svg>
      {ownHosts.includes(host) && <p class="says">{t('onlyHere', { host })}</p>}
    </>
  );
}
