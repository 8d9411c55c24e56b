import { signal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Loading } from './loading.tsx';
import { Failed } from './notice.tsx';
import { PageProblem } from './problem-words.ts';
import { texts } from './text.ts';

const t = texts({
  en: { notLoaded: 'This page could not be loaded: the connection is lost, or the pages were renewed meanwhile.' },
  sv: { notLoaded: 'Sidan kunde inte hämtas: förbindelsen är bruten, eller så har sidorna förnyats.' },
});

/** Where the page is; whoever reads it follows it. */
export const place = signal(new URL(location.href));

addEventListener('popstate', () => {
  place.value = new URL(location.href);
});

export function go(to: string, { replace = false } = {}): void {
  const next = new URL(to, location.href);
  if (next.href === location.href) return;
  history[replace ? 'replaceState' : 'pushState']({}, '', next);
  const isOtherPage = next.pathname !== place.value.pathname;
  place.value = next;
  if (isOtherPage) scrollTo(0, 0);
}

/** Changes the query and leaves the page where it is; undefined takes a name out. */
export function setQuery(changes: Record<string, string | undefined>, options = { replace: true }): void {
  const next = new URL(place.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  go(next.href, options);
}

type LinkProps = { to: string; class?: string; children: ComponentChildren; label?: string; title?: string };

export function Link({ to, label, children, ...rest }: LinkProps) {
  const { pathname, search } = new URL(to, location.href);
  const isHere = place.value.pathname === pathname && ['', place.value.search].includes(search);
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

export type Params = Record<string, string>;
export type PageModule = { default: ComponentType<{ params: Params }> };
export type PageRoute = { path: string; load(): Promise<PageModule> };

/** The page whose path fits; `:name` stands for one segment. */
export function findPage(
  routes: readonly PageRoute[],
  pathname: string,
): { route: PageRoute; params: Params } | undefined {
  const segments = pathname.split('/').filter(Boolean);
  for (const route of routes) {
    const wanted = route.path.split('/').filter(Boolean);
    if (wanted.length !== segments.length) continue;
    const isIt = wanted.every((part, i) => part.startsWith(':') || part === segments[i]);
    if (!isIt) continue;
    const params = wanted.flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), decode(segments[i]!)]] : []));
    return { route, params: Object.fromEntries(params) as Params };
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

/** The page of this place, loaded when it is first shown. */
export function Pages({ routes, otherwise }: { routes: readonly PageRoute[]; otherwise: ComponentChildren }) {
  const found = findPage(routes, place.value.pathname);
  const route = found?.route;
  const [, redraw] = useState(0);
  const [failure, setFailure] = useState<{ route: PageRoute; cause: unknown }>();
  useEffect(() => {
    if (!route || loaded.has(route)) return;
    let isLeft = false;
    route.load().then(
      (page) => {
        loaded.set(route, page);
        if (!isLeft) redraw((count) => count + 1);
      },
      (error: unknown) => {
        if (!isLeft) setFailure({ route, cause: error });
      },
    );
    return () => {
      isLeft = true;
    };
  }, [route]);
  useFocusKept(route);
  if (!found) return <>{otherwise}</>;
  const Page = loaded.get(found.route)?.default;
  if (Page) return <Page key={found.route.path} params={found.params} />;
  if (failure?.route !== route) return <Loading />;
  // What a browser could not load once it does not ask for again; a page that is loaded anew does.
  const problem = new PageProblem('unavailable', t('notLoaded'), {}, { cause: failure?.cause });
  return <Failed problem={problem} again={() => location.reload()} />;
}

/** A page takes the focus along when it goes; then the next one is read from its beginning. */
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
