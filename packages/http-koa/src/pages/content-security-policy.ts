import type { Style } from './style.ts'

/**
 * Allows the style, with pictures and fonts written into it, and forms back to this service and on to the given URLs;
 * nothing else, and no script but the one that carries the nonce, which may run itself as a worker and ask this service
 * for a challenge.
 * Chromium holds `form-action` against every redirect that follows a form.
 * @see https://www.w3.org/TR/CSP3/#directive-form-action
 */
export const contentSecurityPolicy = (
  { sources }: Style,
  formTargets: readonly string[] = [],
  nonce?: string,
): string =>
  [
    "default-src 'none'",
    `style-src ${sources}`,
    ...(nonce === undefined ? [] : [`script-src 'nonce-${nonce}'`, "worker-src 'self'", "connect-src 'self'"]),
    'img-src data:',
    'font-src data:',
    `form-action ${["'self'", ...new Set(formTargets.map(sourceOf))].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

// Not every host that a URL may have can be written as a source: `[::1]` cannot, and `a;b` would end the directive.
const WRITABLE = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d+)?$/

const sourceOf = (url: string): string => {
  const { origin, protocol } = new URL(url)
  return WRITABLE.test(origin) ? origin : protocol
}
