import { useLoad } from './load.tsx';
import './qr-code.css';

/** Draws a text as a QR code, in black on white in every appearance: not every camera reads inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { value } = useLoad(async () => {
    const { encode } = await import('uqr'); // loaded only where a code is shown
    return encode(text, { ecc: 'M', border: 4 });
  }, [text]);
  const { data = [], size = 1 } = value ?? {};
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={cells.join('')} />
    </svg>
  );
}
