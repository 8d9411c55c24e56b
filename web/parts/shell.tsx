import type { ComponentChildren } from 'preact';
import { texts } from './text.ts';

const t = texts({ en: { skip: 'To the content' }, sv: { skip: 'Till innehållet' } });

/** What stands around every page: the head, the ways to other pages, and the content. */
export function Shell({
  head,
  rail,
  children,
}: {
  head: ComponentChildren;
  rail: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t('skip')}
      </a>
      {head}
      {rail}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
