import { useSignal } from '@preact/signals';
import { texts } from './text.ts';

const t = texts({
  en: { copy: 'Copy', copied: 'Copied', refused: 'Mark it and copy by hand' },
  sv: { copy: 'Kopiera', copied: 'Kopierat', refused: 'Markera och kopiera själv' },
});

const shownMs = 2000;

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const said = useSignal<'copied' | 'refused' | undefined>(undefined);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = 'copied';
    } catch {
      said.value = 'refused'; // pages of plain http addresses have no clipboard
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
