import { useSignal } from '@preact/signals';
import { texts } from './text.ts';

const t = texts({
  copy: 'Copy',
  copied: 'Copied',
  failed: 'Select the text and copy it',
});

const shownMs = 2000;

/** Copies a text. A page served over plain HTTP, such as a gateway's, can only copy a selection. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The browser did not copy the text.');
}

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const result = useSignal<'copied' | 'failed' | undefined>(undefined);
  const copy = async (): Promise<void> => {
    result.value = await copyText(text).then(
      () => 'copied' as const,
      () => 'failed' as const,
    );
    setTimeout(() => (result.value = undefined), shownMs);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()}>
      <span aria-live="polite">{result.value ? t(result.value) : (label ?? t('copy'))}</span>
    </button>
  );
}

export const CopyableId = ({ id }: { id: string }) => (
  <>
    <code>{id}</code> <CopyButton text={id} />
  </>
);

export function Code({ children }: { children: string }) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
      <pre tabIndex={0}>{children}</pre>
      <CopyButton text={children} />
    </div>
  );
}
