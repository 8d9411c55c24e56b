import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { pageUrl } from './router.tsx';
import { texts } from './text.ts';

const t = texts({
  skip: ['Skip to content', 'Hoppa till innehållet'],
});

/** The frame of every page: header, navigation and content. */
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

const menuTexts = texts({
  menu: ['More pages', 'Fler sidor'],
});

/** The menu for links that do not fit in the navigation; it closes when one is chosen. */
export function HeadMenu({ children }: { children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const here = pageUrl.value.pathname;
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [here]);
  return (
    <details class="menu push" ref={menu}>
      <summary aria-label={menuTexts('menu')}>
        <Icon name="more" />
      </summary>
      <ul>{children}</ul>
    </details>
  );
}
