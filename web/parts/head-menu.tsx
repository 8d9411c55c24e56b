import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { place } from './router.tsx';
import { texts } from './text.ts';

const t = texts({ en: { menu: 'More pages' }, sv: { menu: 'Fler sidor' } });

/** The places that do not fit beside the others; it closes when one was chosen. */
export function HeadMenu({ children }: { children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const here = place.value.pathname;
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [here]);
  return (
    <details class="menu push" ref={menu}>
      <summary aria-label={t('menu')}>
        <Icon name="more" />
      </summary>
      <ul>{children}</ul>
    </details>
  );
}
