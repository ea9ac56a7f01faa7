import {
  changedFace,
  cleanLogo,
  type Feed,
  type FeedLogo,
  footerIn,
  type GivenFace,
  InvalidInput,
  PatchFeedUseCase,
  PREVIEWED_MAILS,
  PREVIEWED_PAGES,
  WORDS,
} from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { field, fileField, select, tick } from '../parts/fields.ts'
import { actions, at, doneNotice, link, withQuery } from '../parts/parts.ts'
import { type Answer, type Handler, only, type Visit } from '../visit.ts'
import { deed, heldTo, type Question, unchanged } from './asking.ts'
import { languagesOf, shownAsIs, storedFeed } from './feed-previews.ts'

/** Whose words are edited: of the readers of one language at a time. */
const languageIn = (visit: Visit, feed: Feed): string => {
  const languages = languagesOf(visit, feed)
  const asked = visit.query.get('lang') ?? visit.form.text('lang')
  return [asked, feed.language, 'en'].find((tag) => tag && languages.includes(tag)) ?? languages[0] ?? 'en'
}

const ONE_LINE: ReadonlySet<string> = new Set(['greeting', 'confirmation_subject', 'welcome_subject'])

const editing = (visit: Visit, feed: Feed): Question => {
  const { form, options, query } = visit
  const { feeds: texts } = options.texts
  const { face: words } = texts
  const language = languageIn(visit, feed)
  const sent = form.has('lang')
  const footer = footerIn(feed.face, [language])
  // Not those of another language that readers get in their place: they would be stored as its own.
  const said = feed.face.words?.[language] ?? {}
  const path = at('feeds', feed.name)
  const value = (name: string, kept = '') => (sent ? form.text(name) : kept)
  const others = languagesOf(visit, feed)
    .filter((tag) => tag !== language)
    .map((tag) => html`<a href="${withQuery(`${path}/face`, { lang: tag })}" hreflang="${tag}">${tag}</a> `)
  return {
    title: words.title,
    of: feed.name,
    about: html`${query.has('done') && doneNotice(visit)}<p>${words.about}</p>${actions([link(path, texts.oneTitle)])}`,
    button: texts.save,
    back: path,
    anew: withQuery(`${path}/face`, { lang: language }),
    multipart: true,
    fields: (problems) => html`${heldTo(visit, feed)}
<input type="hidden" name="lang" value="${language}">
<div class="twofold"><div>
${fileField('logo', words.logo, { hint: words.logoHint, accept: 'image/png,image/svg+xml,.png,.svg', problems })}
${feed.face.logo && tick('no_logo', words.noLogo, form.has('no_logo'))}
${field('accent', words.accent, { value: value('accent', feed.face.accent), hint: words.accentHint, problems })}
${tick('welcome', words.welcome, sent ? form.has('welcome') : feed.face.welcome === true)}
<h2>${words.words}: ${language}</h2>
<p>${words.wordsHint}</p>
${others.length > 0 && html`<p>${words.others} <span class="chips">${others}</span></p>`}
${field('footer', words.footer, { rows: 3, value: value('footer', footer?.language === language ? footer.text : ''), hint: words.footerHint, problems })}
${WORDS.map((name) => field(`word_${name}`, words.names[name], { value: value(`word_${name}`, said[name]), ...(!ONE_LINE.has(name) && { rows: 3 }) }))}
</div>${options.previews && preview(visit, feed, language)}</div>`,
  }
}

/** What it would look like, beside the form: nothing is stored for it. */
const preview = ({ options, form }: Visit, feed: Feed, language: string): Html => {
  const { feeds: texts } = options.texts
  const { face: words } = texts
  const path = at('feeds', feed.name)
  const mails = PREVIEWED_MAILS.map((kind) => [`mail ${kind}`, texts.mails[kind]])
  const pages = PREVIEWED_PAGES.map((page) => [`page ${page}`, words.pages[page]])
  return html`<div class="beside"><h2>${texts.preview}</h2>
${select('what', words.what, Object.fromEntries([...pages, ...mails]), form.text('what'))}
<button type="submit" class="second" formaction="${path}/face/preview" formtarget="preview" formnovalidate data-live>${words.preview}</button>
<p class="quiet">${words.previewHint}</p>
<iframe class="preview" name="preview" title="${texts.preview}" src="${withQuery(`${path}/form.html`, { lang: language })}"></iframe></div>`
}

const givenIn = ({ form }: Visit): GivenFace => {
  const language = form.text('lang')
  const words = Object.fromEntries(WORDS.map((name) => [name, form.text(`word_${name}`) || null]))
  return {
    accent: form.text('accent').trim() || null,
    welcome: form.has('welcome'),
    footer: { [language]: form.text('footer') || null },
    words: { [language]: words },
  }
}

/** Null if it is to go; undefined if it stays. */
const logoIn = async ({ form }: Visit): Promise<Uint8Array | null | undefined> => {
  const file = form.file('logo')
  return file === undefined ? (form.has('no_logo') ? null : undefined) : new Uint8Array(await file.arrayBuffer())
}

const save = async (visit: Visit, feed: Feed): Promise<Answer> => {
  const { options, caller, form } = visit
  const { patchFeed, putFeedLogo, deleteFeedLogo } = options.useCases
  const { name } = feed
  const content = await logoIn(visit)
  // Before anything is stored.
  if (content) cleanLogo(content)
  await patchFeed.execute({ name, ...givenIn(visit), precondition: unchanged(visit, feed) }, caller)
  if (content) await putFeedLogo.execute({ name, content }, caller)
  else if (content === null && feed.face.logo) await deleteFeedLogo.execute({ name }, caller)
  return { to: withQuery(`${at('feeds', name)}/face`, { lang: form.text('lang'), done: 'saved' }) }
}

const shown: Handler = async (visit) => {
  const { options, form } = visit
  const { previews } = options
  const feed = await storedFeed(visit)
  try {
    const face = changedFace(feed.face, givenIn(visit))
    const content = await logoIn(visit)
    const logo: FeedLogo | null | undefined = content ? cleanLogo(content) : content
    return shownAsIs(await documentOf(previews, { ...feed, face }, form.text('lang'), form.text('what'), logo))
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const said = error.details.map(({ message }) => html`<p>${message}</p>`)
    return shownAsIs(
      html`<!DOCTYPE html><html lang="en"><title>${options.texts.feeds.preview}</title>${said}</html>`.text,
    )
  }
}

const documentOf = async (
  previews: Visit['options']['previews'],
  feed: Feed,
  language: string,
  what: string,
  logo: FeedLogo | null | undefined,
): Promise<string> => {
  const [of, name] = what.split(' ')
  const kind = PREVIEWED_MAILS.find((each) => of === 'mail' && each === name)
  if (kind !== undefined) return (await previews?.mails.show(feed, language, kind, logo))?.html ?? ''
  const page = PREVIEWED_PAGES.find((each) => each === name) ?? 'sign-up'
  return (await previews?.forms.show(feed, language, page, logo)) ?? ''
}

/** The page has a preview in it. */
const framed =
  (handler: Handler): Handler =>
  async (visit) => {
    const answer = await handler(visit)
    return 'page' in answer ? { ...answer, page: { ...answer.page, frames: true } } : answer
  }

export const feedFaceScreens: Readonly<Record<string, Handler>> = {
  ...deed('/feeds/{name}/face', PatchFeedUseCase, {
    subject: storedFeed,
    question: editing,
    work: save,
    around: framed,
  }),
  'POST /feeds/{name}/face/preview': only('feeds:write', shown),
}
