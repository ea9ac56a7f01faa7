import { type FeedSubscription, type Instant, type Preferences, takesSignUps } from '@rollcall/core'
import { feedTitle, shownAddress } from './gaps.ts'
import { type Html, html } from './html.ts'
import { fillMarkup, type Texts } from './language.ts'
import type { Page } from './page.ts'

/** What the page says of what was just done, or could not be. */
export interface Told {
  readonly done?: Html | undefined
  readonly problem?: string | undefined
}

/** What is subscribed with an address, and everything that its owner may do. Forms go back to the link itself. */
export const preferencesPage = (texts: Texts, preferences: Preferences, token: string, told: Told = {}): Page => {
  const { title, intro, download, downloadButton } = texts.preferences
  const { own, subscriptions, suppression } = preferences
  const mayBegin = suppression === undefined
  const content = html`${told.done && html`<p class="done" role="status">${told.done}</p>`}
${told.problem && html`<p class="alarm" role="alert">${told.problem}</p>`}
<p>${fillMarkup(intro, { address: shownAddress(own.subscription.email) })}</p>
${subscriptions.map((one) => feedSection(texts, one, mayBegin))}
${mailSection(texts, preferences)}
<section>
<h2>${download}</h2>
<p class="way"><a href="${token}/export" download>${downloadButton}</a></p>
</section>
${erasureSection(texts, mayBegin)}`
  return { texts, title, content }
}

const feedSection = (texts: Texts, one: FeedSubscription, mayBegin: boolean): Html => {
  const { button, status, closed } = texts.preferences
  const { subscription, feed } = one
  const ended = subscription.status === 'ended'
  // As the use case has it: what is pending may be confirmed though the feed is closed.
  const open = ended ? takesSignUps(feed) : feed.deletingSince === undefined
  const id = `feed-${feed.name}`
  const buttons: Html[] = []
  const add = (action: 'subscribe' | 'end', text: string): void => {
    const kind = action === 'end' ? html` class="second"` : undefined
    buttons.push(html`<button${kind} name="action" value="${action}" aria-describedby="${id}">${text}</button>`)
  }
  if (subscription.status !== 'confirmed' && open && mayBegin)
    add('subscribe', ended ? button.subscribe : button.confirm)
  if (!ended) add('end', button.end)
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${feedTitle(texts, feed)}</h2>
<p>${fillMarkup(status[subscription.status], { date: shownDate(texts, sinceWhen(one)) })}${ended && !open ? ` ${closed}` : undefined}</p>
${buttons.length === 0 ? undefined : html`<form method="post"><input type="hidden" name="feed" value="${feed.name}">${buttons}</form>`}
</section>`
}

const sinceWhen = ({ subscription }: FeedSubscription): Instant =>
  subscription.endedAt ?? subscription.confirmedAt ?? subscription.createdAt

const shownDate = ({ language }: Texts, at: Instant): Html => {
  const date = new Date(at)
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
  return html`<time datetime="${date.toISOString().slice(0, 10)}">${shown}</time>`
}

/** What is done to all of them at once. */
const mailSection = (texts: Texts, { subscriptions, suppression }: Preferences): Html => {
  const { all, neverAgain, suppressed, button } = texts.preferences
  if (suppression)
    return html`<section>
<h2>${all}</h2>
<p>${suppressed}</p>
<form method="post"><button class="second" name="action" value="allow">${button.allow}</button></form>
</section>`
  const several = subscriptions.filter(({ subscription }) => subscription.status !== 'ended').length > 1
  const endAll = several
    ? html`<form method="post"><button class="second" name="action" value="end-all">${button.endAll}</button></form>`
    : undefined
  return html`<section>
<h2>${all}</h2>
${endAll}
<p>${neverAgain}</p>
<form method="post"><button class="second" name="action" value="never-again">${button.neverAgain}</button></form>
</section>`
}

const erasureSection = (texts: Texts, mayBegin: boolean): Html => {
  const { erase, erasure, sure, neverAgainToo, button } = texts.preferences
  const too = html`<label class="tick"><input type="checkbox" name="never_again" value="true"> ${neverAgainToo}</label>`
  return html`<section>
<h2>${erase}</h2>
<p>${erasure}</p>
<form method="post">
<label class="tick"><input type="checkbox" required> ${sure}</label>
${mayBegin ? too : undefined}
<button class="grave" name="action" value="erase">${button.erase}</button>
</form>
</section>`
}
