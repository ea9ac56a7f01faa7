import { html } from '@rollcall/platform-node'
import type { ErrorName, ErrorResponse } from '../error-response.ts'
import type { Texts } from './language.ts'
import { noticePage, type Page, preferencesLink, signUpLink } from './page.ts'
import { fill } from './placeholders.ts'

const WITH_TEXT = [
  'LinkNotValid',
  'FeedNotFound',
  'TooManyRequests',
  'Unavailable',
  'InternalError',
] as const satisfies readonly ErrorName[]

/** After these, all that is left is to subscribe again. */
const SUBSCRIBE_AGAIN: readonly ErrorName[] = ['LinkNotValid', 'FeedNotFound']

/** The page that explains an error to a person. */
export const errorPage = (
  texts: Texts,
  { name }: Pick<ErrorResponse, 'name'>,
  requestId: string,
  publicUrl: string,
): Page => {
  const { error } = texts
  const known = WITH_TEXT.find((one) => one === name)
  const report =
    name === 'InternalError' ? html`<p class="quiet">${fill(error.requestId, { id: requestId })}</p>` : undefined
  const signUp = SUBSCRIBE_AGAIN.includes(name) ? signUpLink(texts, publicUrl) : undefined
  // The link may have been one to preferences: an invalid link does not say.
  const preferences = name === 'LinkNotValid' ? preferencesLink(texts, publicUrl) : undefined
  return noticePage(texts, 'alert', error.title, error[known ?? 'other'], html`${report}${signUp}${preferences}`)
}
