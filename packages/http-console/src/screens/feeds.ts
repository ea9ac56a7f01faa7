import { currentWording, type Feed } from '@rollcall/core/all'
import { notFound } from '../error-page.ts'
import { type Html, html } from '../html.ts'
import { field, tick } from '../parts/fields.ts'
import { actions, at, code, doneNotice, facts, link, pager, table, time, withQuery } from '../parts/parts.ts'
import { type Answer, type Handler, may, only, type Visit } from '../visit.ts'
import { answered, ask, type Question } from './asking.ts'

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { feeds: texts } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listFeeds.execute({ cursor }, caller)
  const content = html`${doneNotice(visit)}
${actions([may(visit, 'feeds:write') && link('/feeds/-/new', texts.create)])}
${table(
  texts.title,
  [
    { head: texts.name, cell: ({ name }) => link(at('feeds', name), name) },
    { head: texts.heading, cell: ({ title }) => title },
    { head: texts.open, cell: ({ open }) => (open ? texts.yes : texts.no) },
    { head: texts.language, cell: ({ language }) => language },
    { head: texts.updated, cell: ({ updatedAt }) => time(updatedAt) },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}`
  return { page: { title: texts.title, content } }
}

const stored = ({ options, caller, params }: Visit): Promise<Feed> =>
  options.useCases.getFeed.execute({ name: params.name ?? '' }, caller)

const previews = ({ options }: Visit, feed: Feed): Html | undefined => {
  const { feeds: texts } = options.texts
  const path = at('feeds', feed.name, 'mail')
  const form = `${options.publicUrl}/subscribe?feed=${feed.name}`
  const mails = options.previews?.languages.map(
    (lang) => html`<li>${link(withQuery(path, { lang }), html`${texts.mail} (${lang})`)}</li>`,
  )
  return html`<h2>${texts.preview}</h2><ul class="actions"><li><a href="${form}" rel="noreferrer">${texts.form}</a></li>${mails}</ul>`
}

const show: Handler = async (visit) => {
  const { feeds: texts } = visit.options.texts
  const feed = await stored(visit)
  const { name, title, description, language, sender, wordings, homeUrl, confirmedUrl, returnUrls, open } = feed
  const path = at('feeds', name)
  const content = html`${doneNotice(visit)}
${facts([
  [texts.name, code(name)],
  [texts.heading, title],
  [texts.description, description],
  [texts.language, language],
  [texts.sender, sender && `${sender.name} <${sender.address}>`],
  [texts.homeUrl, homeUrl],
  [texts.confirmedUrl, confirmedUrl],
  [texts.returnUrls, returnUrls.join(' ')],
  [texts.open, open ? texts.yes : texts.no],
  [
    texts.asks,
    feed.fields.map(({ name, type, required }) => html`${name} (${type}${required ? `, ${texts.required}` : ''})<br>`),
  ],
  [texts.updated, time(feed.updatedAt)],
])}
${actions([
  link(withQuery('/subscriptions', { feed: name }), texts.subscriptions),
  may(visit, 'feeds:write') && link(`${path}/edit`, texts.edit),
  may(visit, 'feeds:write') && name !== 'default' && link(`${path}/delete`, texts.delete),
])}
${previews(visit, feed)}
<h2>${texts.wordings}</h2>
${table(
  texts.wordings,
  [
    { head: texts.version, cell: ({ version }) => version },
    { head: texts.since, cell: ({ since }) => time(since) },
    { head: texts.text, cell: ({ text }) => text || texts.ownWording },
  ],
  wordings.toReversed(),
  texts.noWordings,
)}`
  return { page: { title: texts.oneTitle, content } }
}

const LINES = ['title', 'language', 'sender', 'home_url', 'confirmed_url'] as const

/** With the values of the form, once there is one. */
const editing = (visit: Visit, feed: Feed | undefined): Question => {
  const { form, options } = visit
  const { feeds: texts } = options.texts
  const sent = form.has('title')
  const known: Readonly<Record<string, string | undefined>> = {
    title: feed?.title,
    language: feed?.language,
    sender: feed?.sender && `${feed.sender.name} <${feed.sender.address}>`.trim(),
    home_url: feed?.homeUrl,
    confirmed_url: feed?.confirmedUrl,
    description: feed?.description,
    wording: feed && currentWording(feed)?.text,
    return_urls: feed?.returnUrls.join('\n'),
  }
  const value = (name: string) => (sent ? form.text(name) : known[name])
  return {
    title: feed === undefined ? texts.create : texts.edit,
    about: texts.editAbout,
    button: texts.save,
    back: feed === undefined ? '/feeds' : at('feeds', feed.name),
    fields: (
      problems,
    ) => html`${feed === undefined ? field('name', texts.name, { value: value('name'), required: true, problems }) : html`<input type="hidden" name="updated" value="${feed.updatedAt}">`}
${LINES.map((name) => field(name, texts.fields[name], { value: value(name), problems }))}
${field('description', texts.description, { rows: 3, value: value('description'), problems })}
${field('wording', texts.wording, { rows: 4, value: value('wording'), hint: texts.wordingHint, problems })}
${field('return_urls', texts.returnUrls, { rows: 2, value: value('return_urls'), problems })}
${tick('open', texts.opens, sent ? form.has('open') : (feed?.open ?? true))}`,
  }
}

const save = async (visit: Visit, feed: Feed | undefined): Promise<Answer> =>
  await answered(visit, editing(visit, feed), async () => {
    const { options, caller, form } = visit
    const name = feed?.name ?? form.text('name')
    await options.useCases.putFeed.execute({ ...fieldsIn(visit), name, precondition: unchanged(visit, feed) }, caller)
    return { to: `${at('feeds', name)}?done=saved` }
  })

const unchanged =
  ({ form }: Visit, feed: Feed | undefined) =>
  (current: Feed | undefined): boolean =>
    feed === undefined ? current === undefined : String(current?.updatedAt) === form.text('updated')

const fieldsIn = ({ form }: Visit) => {
  const optional = (name: string) => form.text(name).trim() || undefined
  return {
    title: optional('title'),
    description: form.text('description'),
    language: optional('language'),
    sender: optional('sender'),
    homeUrl: optional('home_url'),
    confirmedUrl: optional('confirmed_url'),
    wording: form.text('wording'),
    returnUrls: form.text('return_urls').split(/\s+/).filter(Boolean),
    open: form.has('open'),
  }
}

const deleting = (visit: Visit, feed: Feed): Question => {
  const { feeds: texts } = visit.options.texts
  return {
    title: texts.delete,
    about: html`<p>${texts.deleteAbout}</p>${facts([
      [texts.name, feed.name],
      [texts.heading, feed.title],
    ])}`,
    button: texts.delete,
    kind: 'grave',
    back: at('feeds', feed.name),
    fields: () => tick('erase', texts.eraseToo),
  }
}

const remove: Handler = async (visit) => {
  const feed = await stored(visit)
  return await answered(visit, deleting(visit, feed), async () => {
    const { options, caller, form } = visit
    const subscriptions = form.has('erase') ? 'erase' : undefined
    await options.useCases.deleteFeed.execute({ name: feed.name, subscriptions }, caller)
    return { to: '/feeds?done=feedDeleted' }
  })
}

const mailIn = async (visit: Visit) => {
  const { options, query } = visit
  const language = options.previews?.languages.find((each) => each === query.get('lang'))
  if (options.previews === undefined || language === undefined) throw notFound(options)
  return { language, mail: await options.previews.mail(await stored(visit), language) }
}

const mail: Handler = async (visit) => {
  const { options, params } = visit
  const { feeds: texts } = options.texts
  const { language, mail: made } = await mailIn(visit)
  const path = at('feeds', params.name ?? '', 'mail.html')
  const content = html`${facts([
    [texts.subject, made.subject],
    [texts.language, language],
  ])}
${actions([link(withQuery(path, { lang: language }), texts.asHtml), link(at('feeds', params.name ?? ''), texts.oneTitle)])}
<pre lang="${language}">${made.text}</pre>`
  return { page: { title: texts.mail, content } }
}

/** As it is mailed, and without any right to do anything here. */
const mailHtml: Handler = async (visit) => {
  const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
  return { file: (await mailIn(visit)).mail.html, type: 'text/html; charset=utf-8', policy }
}

export const feedScreens: Readonly<Record<string, Handler>> = {
  'GET /feeds': list,
  'GET /feeds/-/new': only('feeds:write', async (visit) => ask(visit, editing(visit, undefined))),
  'POST /feeds/-/new': async (visit) => await save(visit, undefined),
  'GET /feeds/{name}': show,
  'GET /feeds/{name}/edit': only('feeds:write', async (visit) => ask(visit, editing(visit, await stored(visit)))),
  'POST /feeds/{name}/edit': async (visit) => await save(visit, await stored(visit)),
  'GET /feeds/{name}/delete': only('feeds:write', async (visit) => ask(visit, deleting(visit, await stored(visit)))),
  'POST /feeds/{name}/delete': remove,
  'GET /feeds/{name}/mail': mail,
  'GET /feeds/{name}/mail.html': mailHtml,
}
