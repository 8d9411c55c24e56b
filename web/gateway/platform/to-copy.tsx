import { CopyButton } from '../../parts/copy.tsx';
import { texts } from '../../parts/text.ts';

const t = texts({ en: { copy: 'Copy {label}' }, sv: { copy: 'Kopiera {label}' } });

/** A long text with its name and a button that copies it. */
export const ToCopy = ({ label, text }: { label: string; text: string }) => (
  <div class="to-copy">
    <span class="soft">{label}</span>
    <code>{text}</code>
    <CopyButton text={text} label={t('copy', { label: label.toLocaleLowerCase() })} />
  </div>
);
