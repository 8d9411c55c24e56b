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

export type NavigationItem = {
  label: string;
  icon: IconName;
  to: string;
  /** whether the shown page belongs to it; by default, whether it is the shown page */
  isCurrent?: boolean;
};

type ShellProps = {
  name: string;
  home: { to: string; label: string };
  /** shown in the header */
  beside?: ComponentChildren;
  /** On a phone these are at the bottom of the screen. */
  main: readonly NavigationItem[];
  /** On a phone these are in the header: a single one itself, several in a menu. */
  later: readonly NavigationItem[];
  children: ComponentChildren;
};

/** The frame of every page: header, navigation and content. */
export function Shell({ name, home, beside, main, later, children }: ShellProps) {
  const [single, ...more] = later;
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t('skip')}
      </a>
      <header class="head">
        <Link to={home.to} class="brand" label={home.label}>
          <img src="/icon.svg" alt="" width="28" height="28" />
          <span>{name}</span>
        </Link>
        {beside}
        {single && more.length === 0 ? (
          <Link to={single.to} class="head-link push" label={single.label} isCurrent={single.isCurrent}>
            <Icon name={single.icon} />
          </Link>
        ) : (
          <Menu class="push on-phone" label={t('menu')} button={<Icon name="more" />}>
            {later.map((item) => (
              <NavigationLink key={item.to} {...item} />
            ))}
          </Menu>
        )}
      </header>
      <nav class="rail" aria-label={t('rail')}>
        <ul>
          {main.map((item) => (
            <NavigationLink key={item.to} {...item} />
          ))}
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

const NavigationLink = ({ label, icon, to, isCurrent, isLater }: NavigationItem & { isLater?: boolean }) => (
  <li class={isLater ? 'later' : undefined}>
    <Link to={to} isCurrent={isCurrent}>
      <Icon name={icon} />
      {label}
    </Link>
  </li>
);

type MenuProps = { label: string; button: ComponentChildren; class: string; children: ComponentChildren };

/** A menu of links in the header; it closes when one is chosen, on Escape, and when the focus leaves it. */
export function Menu({ label, button, class: more, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (menu.current) menu.current.open = false;
  };
  useEffect(close, [pageUrl.value.pathname]);
  return (
    <details
      class={`menu ${more}`}
      ref={menu}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !menu.current?.open) return;
        close();
        menu.current.querySelector('summary')?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close();
      }}
    >
      <summary aria-label={label}>{button}</summary>
      <ul>{children}</ul>
    </details>
  );
}
