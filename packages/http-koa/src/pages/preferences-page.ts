import {
  type ChangePreferencesResult,
  type Feed,
  type FeedSubscription,
  type FieldProblem,
  type Instant,
  kindsIn,
  type Preferences,
  takesSignUps,
} from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import { fieldInput, fieldValue, inputName, visibleField } from './feed-field.ts'
import {
  alertOf,
  challengeAttributes,
  challengeNotice,
  honeypot,
  input,
  ownField,
  type Typed,
  type VisibleField,
} from './form.ts'
import type { Texts } from './language.ts'
import { moveSection } from './move-page.ts'
import { noticePage, type Page, signUpLink } from './page.ts'
import { feedTitle, fill, shownAddress } from './placeholders.ts'

/** The result of the last change, or its problem. */
export interface Outcome {
  readonly done?: Html | undefined
  readonly problem?: string | undefined
  /** What was typed into the fields of a feed, and cannot be kept. */
  readonly refused?: RefusedFields | undefined
}

interface RefusedFields {
  readonly feed: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly problems: readonly FieldProblem[]
}

/** The subscriptions of an address, and everything that its owner may change. Forms are sent to the link itself. */
export const preferencesPage = (texts: Texts, preferences: Preferences, token: string, outcome: Outcome = {}): Page => {
  const { title, intro, download, downloadButton } = texts.preferences
  const { own, subscriptions, suppression } = preferences
  const maySubscribe = suppression === undefined
  const mails = mailSection(texts, preferences)
  // What an owner may undo stands first.
  const isSilent = suppression !== undefined && kindsIn(suppression).owner !== undefined
  const { refused } = outcome
  const content = html`${outcome.done && html`<p class="done" role="status">${outcome.done}</p>`}
${outcome.problem && html`<p class="alarm" role="alert">${outcome.problem}</p>`}
<p>${fillMarkup(intro, { address: shownAddress(own.subscription.email) })}</p>
${isSilent ? mails : undefined}
${refused && alertOf(texts, refused.problems, refusedFields(texts, subscriptions, refused))}
${subscriptions.map((one) => feedSection(texts, one, maySubscribe, refused))}
${isSilent ? undefined : mails}
${subscriptions.some(isMovable) ? moveSection(texts, token) : undefined}
<section>
<h2>${download}</h2>
<p class="way"><a href="${token}/export" download>${downloadButton}</a></p>
</section>
${erasureSection(texts, maySubscribe)}`
  return { texts, title, content }
}

/** The field that lists those which a form of this page shows. */
export const SHOWN_FIELDS = 'shown_fields'

const isMovable = ({ subscription, feed }: FeedSubscription): boolean =>
  subscription.status === 'confirmed' && feed.deletingSince === undefined

const refusedFields = (
  texts: Texts,
  subscriptions: readonly FeedSubscription[],
  { feed: name, fields: typed }: RefusedFields,
): VisibleField[] =>
  subscriptions
    .filter(({ feed }) => feed.name === name)
    .flatMap(({ feed }) =>
      publicFields(feed).map((field) =>
        visibleField(texts, field, { language: feed.language, typed, prefix: prefixOf(feed) }),
      ),
    )

const feedSection = (
  texts: Texts,
  one: FeedSubscription,
  maySubscribe: boolean,
  refused: RefusedFields | undefined,
): Html => {
  const { button, status, closed } = texts.preferences
  const { subscription, feed } = one
  const ended = subscription.status === 'ended'
  // As in the use case: a pending subscription may be confirmed although the feed is closed.
  const open = ended ? takesSignUps(feed) : feed.deletingSince === undefined
  const id = `feed-${feed.name}`
  const buttons: Html[] = []
  const add = (action: 'subscribe' | 'end', text: string): void => {
    const kind = action === 'end' ? html` class="second"` : undefined
    buttons.push(html`<button${kind} name="action" value="${action}" aria-describedby="${id}">${text}</button>`)
  }
  if (subscription.status !== 'confirmed' && open && maySubscribe)
    add('subscribe', ended ? button.subscribe : button.confirm)
  if (!ended) add('end', button.end)
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${feedTitle(texts, feed)}</h2>
<p>${fillMarkup(status[subscription.status], { date: shownDate(texts, changedAt(one)) })}${ended && !open ? ` ${closed}` : undefined}</p>
${buttons.length === 0 ? undefined : html`<form method="post"><input type="hidden" name="feed" value="${feed.name}">${buttons}</form>`}
${ended ? undefined : fieldsForm(texts, one, refused)}
</section>`
}

/** The fields that the owner of an address changes. */
const publicFields = (feed: Feed) => feed.fields.filter((field) => field.public && !field.erasing)

/** Before the ids of a feed's fields: another feed may have the same. */
const prefixOf = ({ name }: Feed): string => `${name}-`

const fieldsForm = (
  texts: Texts,
  { subscription, feed }: FeedSubscription,
  refused: RefusedFields | undefined,
): Html | undefined => {
  const fields = publicFields(feed)
  const wrong = refused?.feed === feed.name ? refused : undefined
  if (fields.length === 0) return undefined
  const { language } = feed
  const inputs = fields.map((field) =>
    fieldInput(field, {
      texts,
      language,
      value: fieldValue(wrong?.fields ?? subscription.fields, field),
      required: false,
      problem: wrong?.problems.find((one) => one.field === inputName(field)),
      prefix: prefixOf(feed),
      stored: fieldValue(subscription.fields, field),
    }),
  )
  return html`<form method="post"><input type="hidden" name="feed" value="${feed.name}"><input type="hidden" name="${SHOWN_FIELDS}" value="${fields.map(({ name }) => name).join(' ')}">
${inputs}
<button class="second" name="action" value="update" aria-describedby="feed-${feed.name}">${texts.preferences.button.update}</button></form>`
}

const changedAt = ({ subscription }: FeedSubscription): Instant =>
  subscription.endedAt ?? subscription.confirmedAt ?? subscription.createdAt

const shownDate = ({ language }: Texts, at: Instant): Html => {
  const date = new Date(at)
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
  return html`<time datetime="${date.toISOString().slice(0, 10)}">${shown}</time>`
}

/** Changes that concern all subscriptions at once. */
const mailSection = (texts: Texts, { subscriptions, suppression }: Preferences): Html => {
  const { all, neverAgain, sureNever, suppressed, blocked, button } = texts.preferences
  const notice = suppression?.block ? html`<p>${blocked}</p>` : undefined
  if (suppression && kindsIn(suppression).owner)
    return html`<section>
<h2>${all}</h2>
${notice ?? html`<p>${suppressed}</p>`}
<form method="post"><button name="action" value="allow">${button.allow}</button></form>
</section>`
  const several = subscriptions.filter(({ subscription }) => subscription.status !== 'ended').length > 1
  const endAll = several
    ? html`<form method="post"><button class="second" name="action" value="end-all">${button.endAll}</button></form>`
    : undefined
  return html`<section>
<h2>${all}</h2>
${notice}
${endAll}
<p>${neverAgain}</p>
<form method="post">
<label class="tick"><input type="checkbox" required> ${sureNever}</label>
<button class="grave" name="action" value="never-again">${button.neverAgain}</button>
</form>
</section>`
}

const erasureSection = (texts: Texts, maySubscribe: boolean): Html => {
  const { erase, erasure, sure, neverAgainToo, button } = texts.preferences
  const too = html`<label class="tick"><input type="checkbox" name="never_again" value="true"> ${neverAgainToo}</label>`
  return html`<section>
<h2>${erase}</h2>
<p>${erasure}</p>
<form method="post">
<label class="tick"><input type="checkbox" required> ${sure}</label>
${maySubscribe ? too : undefined}
<button class="grave" name="action" value="erase">${button.erase}</button>
</form>
</section>`
}

export const preferencesOutcome = (texts: Texts, { action, feed }: ChangePreferencesResult): Html => {
  const values = { feed: feed === undefined ? html`` : feedTitle(texts, feed) }
  return fillMarkup(texts.preferences.done[action], values)
}

export const erasedPage = (texts: Texts, publicUrl: string, neverAgain: boolean): Page => {
  const { done, erasedTitle, erasedForGood } = texts.preferences
  return neverAgain
    ? noticePage(texts, 'done', erasedTitle, erasedForGood)
    : noticePage(texts, 'done', erasedTitle, done.erase, signUpLink(texts, publicUrl))
}

/** The form that asks for the link to the preferences of an address. */
export const requestPreferencesPage = (
  texts: Texts,
  typed: Pick<Typed, 'email' | 'problems' | 'challenge'> = {},
): Page => {
  const { preferences, signUp, language } = texts
  const { title, intro, button } = preferences.ask
  const { problems = [], challenge = false } = typed
  const focus = problems.some(({ field }) => field === 'email') ? html` autofocus` : undefined
  const content = html`${alertOf(texts, problems, [ownField(texts, 'email')])}
<p>${intro}</p>
<form method="post" action="preferences"${challenge ? challengeAttributes(texts, 'challenge') : undefined}>
${input(texts, 'email', typed, html`type="email" autocomplete="email" autocapitalize="off" spellcheck="false" required`, focus)}
${honeypot(texts)}
<input type="hidden" name="locale" value="${language}">
${challenge ? challengeNotice(texts) : undefined}
<button type="submit">${button}</button>
</form>`
  return {
    texts,
    title: problems.length === 0 ? title : fill(signUp.problemTitle, { title }),
    heading: html`${title}`,
    content,
    challenge,
  }
}

/** The same page whether or not the address is known. */
export const preferencesRequestedPage = (texts: Texts, address: string): Page => {
  const { askedTitle, asked, hint } = texts.preferences.ask
  const text = fillMarkup(asked, { address: shownAddress(address) })
  return noticePage(texts, 'mail', askedTitle, text, html`<p class="quiet">${hint}</p>`)
}
