import { useSignal } from '@preact/signals';
import { texts } from './text.ts';

const t = texts({
  en: { copy: 'Copy', copied: 'Copied', refused: 'Mark it and copy by hand' },
  sv: { copy: 'Kopiera', copied: 'Kopierat', refused: 'Markera och kopiera själv' },
});

const shownMs = 2000;

/** Pages of plain http addresses, such as a gateway's, have no clipboard but that of a selection. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The browser did not copy.');
}

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const said = useSignal<'copied' | 'refused' | undefined>(undefined);
  const copy = async (): Promise<void> => {
    try {
      await copyText(text);
      said.value = 'copied';
    } catch {
      said.value = 'refused';
    }
    setTimeout(() => {
      said.value = undefined;
    }, shownMs);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()}>
      <span aria-live="polite">{said.value ? t(said.value) : (label ?? t('copy'))}</span>
    </button>
  );
}

/** Lines to copy, as they are. */
export function Code({ children }: { children: string }) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
      <pre tabIndex={0}>{children}</pre>
      <CopyButton text={children} />
    </div>
  );
}
