import { signal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Empty, Failed, Loading } from './layout.tsx';
import { useLoad } from './load.tsx';
import { PageProblem } from './problem-words.ts';
import { loadAllTexts, texts } from './text.ts';

const t = texts({
  notFound: 'Page not found',
  home: 'Go to the start page',
  notLoaded: 'This page could not be loaded. The connection may be lost, or Ohmstead has been updated.',
});

export const pageUrl = signal(new URL(location.href));

addEventListener('popstate', () => {
  pageUrl.value = new URL(location.href);
});

export function go(to: string, { replace = false } = {}): void {
  const next = new URL(to, location.href);
  if (next.href === location.href) return;
  history[replace ? 'replaceState' : 'pushState']({}, '', next);
  const isOtherPage = next.pathname !== pageUrl.value.pathname;
  pageUrl.value = next;
  if (isOtherPage) scrollTo(0, 0);
}

/** Changes the query of the address without scrolling; undefined removes a name. */
export function setQuery(changes: Record<string, string | undefined>, options = { replace: true }): void {
  const next = new URL(pageUrl.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  go(next.href, options);
}

type LinkProps = {
  to: string;
  class?: string;
  children: ComponentChildren;
  label?: string;
  title?: string;
  /** whether the shown page belongs to it; by default, whether it is the shown page */
  isCurrent?: boolean | undefined;
};

export function Link({ to, label, isCurrent, children, ...rest }: LinkProps) {
  const { pathname, search } = new URL(to, location.href);
  const isHere = isCurrent ?? (pageUrl.value.pathname === pathname && ['', pageUrl.value.search].includes(search));
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={follow} aria-label={label} aria-current={isHere ? 'page' : undefined} {...rest}>
      {children}
    </a>
  );
}

/** A link that looks like a button. */
export const LinkButton = ({ to, label, tone = 'plain' }: { to: string; label: string; tone?: 'main' | 'plain' }) => (
  <Link class={`button ${tone}`} to={to}>
    {label}
  </Link>
);

export type Params = Record<string, string>;

/** Returns the segment of the address that matched `:name`. */
export function paramOf(params: Params, name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`The address of this page has no ${name}.`);
  return value;
}

export type PageModule = { default: ComponentType<{ params: Params }> };
export type PageRoute = {
  path: string;
  load(): Promise<PageModule>;
  /** its texts are loaded with the language (web/build/catalogues.ts) */
  hasFirstTexts?: boolean;
};

/** Finds the page of a path; `:name` matches one segment. */
export function findPage(
  routes: readonly PageRoute[],
  pathname: string,
): { route: PageRoute; params: Params } | undefined {
  const segments = pathname.split('/').filter(Boolean);
  for (const route of routes) {
    const wanted = route.path.split('/').filter(Boolean);
    if (wanted.length !== segments.length) continue;
    const params: Params = {};
    const isMatch = segments.every((segment, i) => {
      const part = wanted[i];
      if (part?.startsWith(':')) params[part.slice(1)] = decode(segment);
      return part?.startsWith(':') || part === segment;
    });
    if (isMatch) return { route, params };
  }
  return undefined;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const loaded = new Map<PageRoute, PageModule>();

/** Shows the page of the current address, which is loaded on first use. */
export function Pages({ routes, home }: { routes: readonly PageRoute[]; home: string }) {
  const found = findPage(routes, pageUrl.value.pathname);
  const route = found?.route;
  const { problem } = useLoad(async () => {
    if (!route || loaded.has(route)) return;
    const [page] = await Promise.all([route.load(), !route.hasFirstTexts && loadAllTexts()]);
    loaded.set(route, page);
  }, [route]);
  useFocusKept(route);
  if (!found) {
    return (
      <Empty title={t('notFound')}>
        <Link to={home}>{t('home')}</Link>
      </Empty>
    );
  }
  const Page = loaded.get(found.route)?.default;
  if (Page) return <Page key={found.route.path} params={found.params} />;
  if (problem === undefined) return <Loading />;
  // The browser does not repeat a failed import; reloading the document does.
  const failure = new PageProblem('unavailable', t('notLoaded'), {}, { cause: problem });
  return <Failed problem={failure} again={() => location.reload()} />;
}

/** Moves the focus to the content when it was lost with the previous page. */
function useFocusKept(route: PageRoute | undefined): void {
  const last = useRef(route);
  useEffect(() => {
    const isOther = last.current !== route;
    last.current = route;
    if (isOther && document.activeElement === document.body) {
      document.getElementById('content')?.focus({ preventScroll: true });
    }
  }, [route]);
}
