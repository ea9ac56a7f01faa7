import { type Feed, PREVIEWED_MAILS, type PreviewedMail } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { notFound } from '../error-page.ts'
import { field } from '../parts/fields.ts'
import { actions, at, doneNotice, facts, link, withQuery } from '../parts/parts.ts'
import { type Handler, may, type Visit } from '../visit.ts'
import { answered, ask, type Question } from './asking.ts'

/** A reminder and a welcome only if the feed sends them. */
const kindsOf = ({ remindAfter, face }: Feed): readonly PreviewedMail[] =>
  PREVIEWED_MAILS.filter(
    (kind) => (kind !== 'reminder' || remindAfter !== undefined) && (kind !== 'welcome' || face.welcome),
  )

const chips = (links: readonly Html[]): Html | undefined =>
  links.length === 0 ? undefined : html`<span class="chips">${links}</span>`

/** Links to what readers see of a feed, in each language. */
export const previewLinks = ({ options }: Visit, feed: Feed): Html => {
  const { feeds: texts } = options.texts
  const linked = (languages: readonly string[] = [], what: string, text: string, kind?: PreviewedMail) =>
    languages.map((lang) => {
      const path = withQuery(at('feeds', feed.name, what), { lang, kind })
      return html`<a href="${path}" hreflang="${lang}"><span class="unseen">${text} (</span>${lang}<span class="unseen">)</span></a> `
    })
  const { previews } = options
  const form = html`<a href="${options.publicUrl}/subscribe?feed=${feed.name}" rel="noreferrer">${texts.live}</a> `
  return html`<h2>${texts.preview}</h2>${facts([
    [texts.form, chips([form, ...linked(previews?.forms.languages, 'form.html', texts.form)])],
    ...kindsOf(feed).map((kind) => {
      const wanted = kind === 'confirmation' ? undefined : kind
      return [texts.mails[kind], chips(linked(previews?.mails.languages, 'mail', texts.mails[kind], wanted))] as const
    }),
  ])}`
}

const asked = ({ query, form }: Visit, name: string) => query.get(name) ?? (form.text(name) || null)

/** Those of pages and mails, and those that the feed says something in. */
export const languagesOf = ({ options: { previews } }: Visit, { face }: Feed): readonly string[] => {
  const shipped = [...(previews?.forms.languages ?? ['en']), ...(previews?.mails.languages ?? [])]
  const own = [face.words, face.footer].flatMap((texts) => Object.keys(texts ?? {}))
  return [...new Set([...shipped, ...own].map((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag))].sort()
}

export const storedFeed = ({ options, caller, params }: Visit): Promise<Feed> =>
  options.useCases.getFeed.execute({ name: params.name ?? '' }, caller)

const mailIn = async (visit: Visit) => {
  const language = visit.options.previews?.mails.languages.find((each) => each === asked(visit, 'lang'))
  if (language === undefined) throw notFound(visit.options)
  const feed = await storedFeed(visit)
  const wanted = asked(visit, 'kind') ?? 'confirmation'
  const kind = kindsOf(feed).find((each) => each === wanted)
  const mail = kind && (await visit.options.previews?.mails.show(feed, language, kind))
  if (kind === undefined || mail === undefined) throw notFound(visit.options)
  return { language, kind, mail }
}

/** What it is, and who is to get it. */
const sending = async (visit: Visit): Promise<Question> => {
  const { options, params, form } = visit
  const { feeds: texts } = options.texts
  const { language, kind, mail: made } = await mailIn(visit)
  const path = at('feeds', params.name ?? '', 'mail.html')
  const about = html`${doneNotice(visit)}${facts([
    [texts.subject, made.subject],
    [texts.language, language],
  ])}
${actions([link(withQuery(path, { lang: language, kind }), texts.asHtml), link(at('feeds', params.name ?? ''), texts.oneTitle)])}
<pre lang="${language}">${made.text}</pre>`
  return {
    title: texts.mails[kind],
    of: params.name ?? '',
    button: texts.sendMe,
    about: html`${about}${may(visit, 'feeds:write') && html`<h2>${texts.sendMe}</h2><p>${texts.sendMeAbout}</p>`}`,
    back: at('feeds', params.name ?? ''),
    fields: (
      problems,
    ) => html`<input type="hidden" name="lang" value="${language}"><input type="hidden" name="kind" value="${kind}">
${field('to', texts.sendTo, { type: 'email', required: true, value: form.text('to'), problems })}`,
  }
}

const mail: Handler = async (visit) => {
  const question = await sending(visit)
  if (may(visit, 'feeds:write')) return ask(visit, question)
  return { page: { title: `${question.title}: ${question.of}`, content: html`${question.about}` } }
}

const send: Handler = async (visit) => {
  const { options, params, form, caller } = visit
  const name = params.name ?? ''
  return await answered(visit, await sending(visit), async () => {
    const [language, kind] = [form.text('lang'), form.text('kind')]
    await options.useCases.sendPreview.execute({ name, mail: kind, language, to: form.text('to').trim() }, caller)
    return { to: withQuery(at('feeds', name, 'mail'), { lang: language, kind, done: 'sent' }) }
  })
}

/** A document that is shown as its readers get it may do nothing here: it neither runs nor sends. */
export const shownAsIs = (file: string) => ({
  file,
  type: 'text/html; charset=utf-8',
  policy: "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  framed: true,
})

const mailHtml: Handler = async (visit) => shownAsIs((await mailIn(visit)).mail.html)

const formHtml: Handler = async (visit) => {
  const feed = await storedFeed(visit)
  const wanted = asked(visit, 'lang')?.toLowerCase()
  const language = languagesOf(visit, feed).find((each) => each.toLowerCase() === wanted)
  if (language === undefined) throw notFound(visit.options)
  return shownAsIs((await visit.options.previews?.forms.show(feed, language, 'sign-up')) ?? '')
}

export const feedPreviewScreens: Readonly<Record<string, Handler>> = {
  'GET /feeds/{name}/form.html': formHtml,
  'GET /feeds/{name}/mail': mail,
  'POST /feeds/{name}/mail': send,
  'GET /feeds/{name}/mail.html': mailHtml,
}
