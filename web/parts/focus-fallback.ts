import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Moves the focus to `fallback` when a render removes or hides the focused element of the same section. Without this,
 * the next Tab would start at the top of the page. The fallback element needs `tabIndex={-1}`.
 */
export function useFocusFallback(fallback: RefObject<HTMLElement | null>): void {
  const hadFocus = fallback.current?.closest('section')?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const isLost = focused === null || focused === document.body || !focused.checkVisibility();
    if (hadFocus && isLost) fallback.current?.focus();
  });
}
