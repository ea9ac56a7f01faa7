import { html } from '@rollcall/platform-node'
import type { ErrorName, ErrorResponse } from '../error-response.ts'
import type { Texts } from './language.ts'
import { noticePage, type Page, preferencesLink, signUpLink } from './page.ts'
import { fill } from './placeholders.ts'

const WITH_TEXT = [
  'LinkNotValid',
  'FeedNotFound',
  'NotFound',
  'MethodNotAllowed',
  'TooManyRequests',
  'Unavailable',
  'InternalError',
] as const satisfies readonly ErrorName[]

/** After these, all that is left is to begin anew; an invalid link does not say what it was for. */
const WAYS: Readonly<Partial<Record<ErrorName, readonly ('signUp' | 'preferences')[]>>> = {
  LinkNotValid: ['signUp', 'preferences'],
  NotFound: ['signUp', 'preferences'],
  MethodNotAllowed: ['signUp', 'preferences'],
  FeedNotFound: ['signUp'],
}

interface Asked {
  readonly requestId: string
  readonly publicUrl: string
  readonly path: string
}

export const errorPage = (
  texts: Texts,
  { name, headers }: Pick<ErrorResponse, 'name' | 'headers'>,
  { requestId, publicUrl, path }: Asked,
): Page => {
  const { error, language } = texts
  const known = WITH_TEXT.find((one) => one === name)
  const text = fill(error[known ?? 'other'], { when: timeFromNow(language, Number(headers['Retry-After'] ?? 1)) })
  const report =
    name === 'InternalError' ? html`<p class="quiet">${fill(error.requestId, { id: requestId })}</p>` : undefined
  // Where to try again: a form of another site is left, and one that was sent is not there to be opened.
  const again = name === 'TooManyRequests' && [/\/preferences(?:\/|$)/.test(path) ? 'preferences' : 'signUp']
  const ways = again || WAYS[name] || []
  const signUp = ways.includes('signUp') ? signUpLink(texts, publicUrl) : undefined
  const preferences = ways.includes('preferences') ? preferencesLink(texts, publicUrl) : undefined
  return noticePage(texts, 'alert', error.title, text, html`${report}${signUp}${preferences}`)
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Such as 'in 5 minutes'; never too early. */
const timeFromNow = (language: string, seconds: number): string => {
  const format = new Intl.RelativeTimeFormat(language)
  if (seconds < 2 * MINUTE) return format.format(seconds, 'second')
  return seconds < 2 * HOUR
    ? format.format(Math.ceil(seconds / MINUTE), 'minute')
    : format.format(Math.ceil(seconds / HOUR), 'hour')
}
