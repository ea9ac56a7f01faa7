import { type FeedField, type FieldProblem, type PublicFeed, wordsIn } from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import { fieldInput, fieldValue, inputName, USUAL_LENGTH, visibleField } from './feed-field.ts'
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
import { languageMark, type Texts } from './language.ts'
import { linkedText } from './linked-text.ts'
import { homeLink, noticePage, type Page, preferencesLink, signUpLink } from './page.ts'
import { feedTitles, fill, shownAddress } from './placeholders.ts'

type Feeds = readonly [PublicFeed, ...PublicFeed[]]

/** The form to subscribe to a feed, or to several; or, if one of them is closed, a page that says so. */
export const signUpPage = (texts: Texts, feeds: Feeds, publicUrl: string, typed: Typed = {}): Page => {
  const { signUp } = texts
  const { problems = [], returnTo } = typed
  const closed = feeds.filter(({ open }) => !open)
  const open = closed.length === 0
  const named = open ? feeds : closed
  const template = open ? signUp.title : signUp.closedTitle
  const titles = new Intl.ListFormat(texts.language).format(named.map(({ title }) => title))
  const title = fill(template, { feed: titles })
  const visible = [
    ...[ownField(texts, 'email'), ownField(texts, 'name')],
    ...fieldsOf(feeds).map(({ field, language }) => visibleField(texts, field, { language, typed: typed.fields })),
  ]
  return {
    texts,
    title: problems.length === 0 ? title : fill(signUp.problemTitle, { title }),
    heading: fillMarkup(template, { feed: feedTitles(texts, named) }),
    content: html`${alertOf(texts, problems, visible, html` id="alarm"`)}
${named.map((feed) => lead(texts, feeds, feed))}
${open ? form(texts, feeds, visible, typed) : html`<p>${signUp.closed}</p>`}
${preferencesLink(texts, publicUrl)}`,
    face: feeds[0],
    challenge: open && typed.challenge,
    formTargets: open && returnTo !== undefined ? [returnTo] : [],
  }
}

/** What the feed says in the language of the page; else its description. */
const lead = (texts: Texts, feeds: Feeds, feed: PublicFeed): Html | undefined => {
  const { sign_up_text: own } = wordsIn(feed.face, texts.language)
  if (own !== undefined) return paragraph(texts, feeds, { ...feed, language: undefined }, 'lead', own)
  return feed.description === '' ? undefined : paragraph(texts, feeds, feed, 'lead', feed.description)
}

/** A text of the feed, in the feed's own language. */
const paragraph = (texts: Texts, feeds: Feeds, feed: PublicFeed, name: 'lead' | 'wording', text: string): Html =>
  html`<p class="${name}" id="${idOf(feeds, feed, name)}" dir="auto"${languageMark(texts, feed.language)}>${linkedText(text)}</p>`

const idOf = (feeds: Feeds, { name }: PublicFeed, what: string): string =>
  feeds.length === 1 ? what : `${what}-${name}`

interface Asked {
  readonly field: FeedField
  readonly language: string | undefined
  /** Whether they ask for it in ways that no answer is right for. */
  readonly clashes: boolean
}

/** What the feeds ask for, each name once; without what no answer is right for, as long as none of them requires it. */
const fieldsOf = (feeds: Feeds): readonly Asked[] =>
  mergedFields(feeds).filter(({ field, clashes }) => !clashes || field.required)

/** What all of them take that ask for it. */
const mergedFields = (feeds: Feeds): readonly Asked[] => {
  const found = new Map<string, Asked>()
  for (const { fields, language } of feeds)
    for (const field of fields) {
      const known = found.get(field.name)
      found.set(field.name, known === undefined ? { field, language, clashes: false } : both(known, field))
    }
  return [...found.values()]
}

const both = (known: Asked, other: FeedField): Asked => {
  const { field: one } = known
  const usual = one.type === 'text' ? USUAL_LENGTH : Infinity
  const max = Math.min(one.max ?? usual, other.max ?? usual)
  const choices = one.choices.filter((choice) => other.choices.includes(choice))
  const clashes = known.clashes || one.type !== other.type || (one.type === 'choice' && choices.length === 0)
  // One that any of them requires is required.
  const required = one.required || other.required
  return { ...known, field: { ...one, required, choices, ...(max !== Infinity && { max }) }, clashes }
}

/** Why nobody can answer a form for these feeds; undefined if it can be answered. */
export const problemWithFields = (feeds: Feeds): FieldProblem | undefined => {
  const clash = fieldsOf(feeds).find(({ clashes }) => clashes)?.field
  if (clash === undefined) return undefined
  const message = `These feeds ask for the field '${clash.name}' in different ways. Ask for each of them by itself, or call the fields differently.`
  return { field: 'feeds', message }
}

/** Under this name, pages have a text for that. */
export const TOGETHER = 'together'

const form = (
  texts: Texts,
  feeds: Feeds,
  visible: readonly VisibleField[],
  { stamp = feeds[0].stamp, returnTo, ...typed }: Typed,
): Html => {
  const { signUp, language } = texts
  const { problems = [] } = typed
  const problemOf = (field: string) => problems.find((one) => one.field === field)
  // The first field to correct; or, if no visible field is wrong, the button.
  const first = visible.find(({ name }) => problemOf(name) !== undefined)?.name ?? (typed.email && 'submit')
  const focus = (name: string) => (name === first ? html` autofocus` : undefined)
  const inputs = fieldsOf(feeds).map(({ field, language }) => {
    const name = inputName(field)
    const value = fieldValue(typed.fields, field)
    const { required } = field
    return fieldInput(field, { texts, language, value, required, problem: problemOf(name), focus: focus(name) })
  })
  const worded = feeds.filter(({ wording }) => wording !== undefined && wording !== '')
  const hasHiddenProblem = problems.some(({ field }) => !visible.some(({ name }) => name === field))
  const describedBy = [
    ...(hasHiddenProblem ? ['alarm'] : []),
    ...worded.map((feed) => idOf(feeds, feed, 'wording')),
  ].join(' ')
  const target =
    feeds.length === 1
      ? html`<input type="hidden" name="feed" value="${feeds[0].name}">`
      : html`<input type="hidden" name="feeds" value="${feeds.map(({ name }) => name).join(' ')}">`
  return html`<form method="post" action="subscribe"${typed.challenge ? challengeAttributes(texts, 'challenge') : undefined}>
${input(texts, 'email', typed, html`type="email" autocomplete="email" autocapitalize="off" spellcheck="false" required${focus('email')}`)}
${input(texts, 'name', typed, html`type="text" autocomplete="name"${focus('name')}`)}
${inputs}
${honeypot(texts)}
${target}
<input type="hidden" name="locale" value="${language}">
<input type="hidden" name="stamp" value="${stamp}">
${returnTo === undefined ? undefined : html`<input type="hidden" name="return_to" value="${returnTo}">`}
<p class="quiet">${signUp.intro}</p>
${worded.map((feed) => paragraph(texts, feeds, feed, 'wording', feed.wording ?? ''))}
${typed.challenge ? challengeNotice(texts) : undefined}
<button type="submit"${describedBy === '' ? undefined : html` aria-describedby="${describedBy}"`}${focus('submit')}>${signUp.submit}</button>
</form>`
}

/** The page after a sign-up; the same whether or not the address is known. */
export const pendingPage = (texts: Texts, publicUrl: string, address: string, feed: PublicFeed): Page => {
  const { title, text, hint } = texts.pending
  const links = html`<p class="quiet">${hint}</p>${homeLink(texts, feed)}${signUpLink(texts, publicUrl, feed.name)}`
  return {
    ...noticePage(texts, 'mail', title, fillMarkup(text, { address: shownAddress(address) }), links),
    face: feed,
  }
}
