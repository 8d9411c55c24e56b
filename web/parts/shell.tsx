import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';
import { Link, pageUrl } from './router.tsx';
import { texts } from './text.ts';

const t = texts({
  skip: 'Skip to content',
  rail: 'Main menu',
  menu: 'More pages',
});

export type NavigationItem = { label: string; icon: IconName; to: string };

type ShellProps = {
  name: string;
  home: { to: string; label: string };
  /** shown in the header */
  beside?: ComponentChildren;
  /** On a phone these are at the bottom of the screen. */
  main: readonly NavigationItem[];
  /** On a phone these are in the menu of the header. */
  later: readonly NavigationItem[];
  laterTitle?: string;
  children: ComponentChildren;
};

/** The frame of every page: header, navigation and content. */
export function Shell({ name, home, beside, main, later, laterTitle, children }: ShellProps) {
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t('skip')}
      </a>
      <header class="head">
        <Link to={home.to} class="brand" label={home.label}>
          <img src="/icon.svg" alt="" width="28" height="28" />
          {name}
        </Link>
        {beside}
        <HeadMenu items={later} />
      </header>
      <nav class="rail" aria-label={t('rail')}>
        <ul>
          {main.map((item) => (
            <NavigationLink key={item.to} {...item} />
          ))}
          {laterTitle && (
            <li class="section later" aria-hidden="true">
              {laterTitle}
            </li>
          )}
          {later.map((item) => (
            <NavigationLink key={item.to} {...item} isLater />
          ))}
        </ul>
      </nav>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

const NavigationLink = ({ label, icon, to, isLater }: NavigationItem & { isLater?: boolean }) => (
  <li class={isLater ? 'later' : undefined}>
    <Link to={to}>
      <Icon name={icon} />
      {label}
    </Link>
  </li>
);

/** The menu for links that do not fit in the navigation; it closes when one is chosen. */
function HeadMenu({ items }: { items: readonly NavigationItem[] }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const here = pageUrl.value.pathname;
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [here]);
  return (
    <details class="menu push" ref={menu}>
      <summary aria-label={t('menu')}>
        <Icon name="more" />
      </summary>
      <ul>
        {items.map((item) => (
          <NavigationLink key={item.to} {...item} />
        ))}
      </ul>
    </details>
  );
}
