import type { Style } from './style.ts'

/**
 * Allows the style with its embedded images and fonts, and forms to this service and the given URLs. The only script is
 * the one with the nonce, which may run itself as a worker and request a challenge from this service.
 * Chromium applies `form-action` to every redirect that follows a form.
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

// Not every host of a URL can be written as a source: `[::1]` cannot, and `a;b` would end the directive.
const WRITABLE = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d+)?$/

const sourceOf = (url: string): string => {
  const { origin, protocol } = new URL(url)
  return WRITABLE.test(origin) ? origin : protocol
}
