// The token of a visit lives as long as the tab: whoever looks around leaves nothing behind.
const slot = 'ohmstead.visit';

export function keptVisit(): string | undefined {
  try {
    return sessionStorage.getItem(slot) ?? undefined;
  } catch {
    return undefined; // a browser that keeps nothing: the visit ends with a reload
  }
}

export function keepVisit(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(slot);
    else sessionStorage.setItem(slot, token);
  } catch {
    // said above
  }
}
