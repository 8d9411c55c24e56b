/** How long an application keeps what it was allowed, unless it is withdrawn or allowed again. */
export const consentLifeMs = 365 * 86_400_000;

/** Names the request in the browser that began it. */
export const requestCookie = 'ohmstead_oauth_request';
