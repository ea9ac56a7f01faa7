import type { Feed } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { PREVIEWED_MAILS, type PreviewedMail } from '../console-options.ts'
import { notFound } from '../error-page.ts'
import { actions, at, facts, link, withQuery } from '../parts/parts.ts'
import type { Handler, Visit } from '../visit.ts'

/** A reminder and a welcome only where the feed sends them. */
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

/** The language that is asked for, if there is a preview in it. */
const languageIn = ({ options, query }: Visit, of: 'forms' | 'mails'): string => {
  const language = options.previews?.[of].languages.find((each) => each === query.get('lang'))
  if (language === undefined) throw notFound(options)
  return language
}

const stored = ({ options, caller, params }: Visit): Promise<Feed> =>
  options.useCases.getFeed.execute({ name: params.name ?? '' }, caller)

const mailIn = async (visit: Visit) => {
  const language = languageIn(visit, 'mails')
  const feed = await stored(visit)
  const wanted = visit.query.get('kind') ?? 'confirmation'
  const kind = kindsOf(feed).find((each) => each === wanted)
  const mail = kind && (await visit.options.previews?.mails.show(feed, language, kind))
  if (kind === undefined || mail === undefined) throw notFound(visit.options)
  return { language, kind, mail }
}

const mail: Handler = async (visit) => {
  const { options, params } = visit
  const { feeds: texts } = options.texts
  const { language, kind, mail: made } = await mailIn(visit)
  const path = at('feeds', params.name ?? '', 'mail.html')
  const content = html`${facts([
    [texts.subject, made.subject],
    [texts.language, language],
  ])}
${actions([link(withQuery(path, { lang: language, kind }), texts.asHtml), link(at('feeds', params.name ?? ''), texts.oneTitle)])}
<pre lang="${language}">${made.text}</pre>`
  return { page: { title: `${texts.mails[kind]}: ${params.name}`, content } }
}

/** A document that is shown as its readers get it may do nothing here: it neither runs nor sends. */
const shownAsIs = (file: string) => ({
  file,
  type: 'text/html; charset=utf-8',
  policy: "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
})

const mailHtml: Handler = async (visit) => shownAsIs((await mailIn(visit)).mail.html)

const formHtml: Handler = async (visit) => {
  const language = languageIn(visit, 'forms')
  return shownAsIs((await visit.options.previews?.forms.show(await stored(visit), language)) ?? '')
}

export const feedPreviewScreens: Readonly<Record<string, Handler>> = {
  'GET /feeds/{name}/form.html': formHtml,
  'GET /feeds/{name}/mail': mail,
  'GET /feeds/{name}/mail.html': mailHtml,
}
