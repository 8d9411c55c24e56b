import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * When a render removes or hides what has the focus, it goes to a place in the same section, which takes it with
 * `tabIndex={-1}`. The browser would leave it to the document, and the next Tab would begin at the top of the page.
 */
export function useKeptFocus(place: RefObject<HTMLElement | null>): void {
  const hadFocus = place.current?.closest('section')?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const isLost = focused === null || focused === document.body || !focused.checkVisibility();
    if (hadFocus && isLost) place.current?.focus();
  });
}
