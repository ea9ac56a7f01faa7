import type { ErrorName, ErrorResponse } from '../error-response.ts'
import { html } from './html.ts'
import { fill, type Texts } from './language.ts'
import { noticePage } from './notice-page.ts'
import type { Page } from './page.ts'
import { preferencesLink } from './preferences-link.ts'
import { signUpLink } from './sign-up-link.ts'

const TOLD = [
  'LinkNotValid',
  'FeedNotFound',
  'TooManyRequests',
  'Unavailable',
  'InternalError',
] as const satisfies readonly ErrorName[]

/** After these, to subscribe is what there is left to do. */
const BEGIN_ANEW: readonly ErrorName[] = ['LinkNotValid', 'FeedNotFound']

/** What is said of an error to a person. */
export const errorPage = (
  texts: Texts,
  { name }: Pick<ErrorResponse, 'name'>,
  requestId: string,
  publicUrl: string,
): Page => {
  const { error } = texts
  const told = TOLD.find((one) => one === name)
  const report =
    name === 'InternalError' ? html`<p class="quiet">${fill(error.requestId, { id: requestId })}</p>` : undefined
  const way = BEGIN_ANEW.includes(name) ? signUpLink(texts, publicUrl) : undefined
  // The link may have been one to preferences: nobody knows of a link that is not valid.
  const other = name === 'LinkNotValid' ? preferencesLink(texts, publicUrl) : undefined
  return noticePage(texts, 'alert', error.title, error[told ?? 'other'], html`${report}${way}${other}`)
}
