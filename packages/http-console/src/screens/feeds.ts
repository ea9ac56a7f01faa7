import {
  camelCased,
  currentWording,
  DeleteFeedUseCase,
  dateOf,
  type Feed,
  FieldInUse,
  InvalidInput,
  joined,
  left,
  netGrowth,
  PatchFeedUseCase,
  PutFeedUseCase,
  publishedFeed,
} from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import { notFound } from '../error-page.ts'
import { upAndDownChart } from '../parts/charts.ts'
import { field, tick } from '../parts/fields.ts'
import {
  actions,
  at,
  badge,
  card,
  code,
  doneNotice,
  facts,
  link,
  number,
  pager,
  ROWS,
  signed,
  table,
  time,
  withQuery,
} from '../parts/parts.ts'
import { SHIPPED_TEXTS, type Texts } from '../texts.ts'
import { type Answer, freshly, type Handler, may, type Visit } from '../visit.ts'
import { deed, heldTo, type Question, unchanged } from './asking.ts'
import { previewLinks, storedFeed } from './feed-previews.ts'

const openBadge = ({ options }: Visit, open: boolean) =>
  open ? badge('good', options.texts.feeds.isOpen) : badge('off', options.texts.feeds.isClosed)

const list: Handler = async (visit) => {
  const { options, caller, query } = visit
  const { feeds: texts } = options.texts
  const cursor = query.get('cursor') ?? undefined
  const { items, next } = await options.useCases.listFeeds.execute({ cursor, limit: ROWS }, caller)
  const content = html`${doneNotice(visit)}
${actions([may(visit, 'feeds:write') && link('/feeds/-/new', texts.create)])}
${table(
  texts.title,
  [
    { head: texts.name, cell: ({ name }) => link(at('feeds', name), name) },
    { head: texts.heading, cell: ({ title }) => title },
    { head: texts.open, cell: ({ open }) => openBadge(visit, open) },
    { head: texts.all, isNumber: true, cell: ({ total }) => total !== undefined && number(total) },
    { head: texts.language, cell: ({ language }) => language },
    { head: texts.updated, cell: ({ updatedAt }) => time(updatedAt) },
  ],
  items,
  texts.nothing,
)}${pager(visit, next)}`
  return { page: { title: texts.title, content } }
}

/** Its numbers are those of every feed, once more where one looks for them. */
const numbers = async (visit: Visit, feed: string): Promise<Html> => {
  const { start: texts } = visit.options.texts
  const { current, periods } = await visit.options.useCases.showStats.execute({ feed, by: 'day' }, visit.caller)
  const places = periods.map(({ start, counts }) => ({ label: dateOf(start), up: joined(counts), down: left(counts) }))
  const net = periods.reduce((sum, { counts }) => sum + netGrowth(counts), 0)
  return html`<div class="cards">${card(texts.subscribers, number(current.confirmed))}${card(
    texts.pending,
    number(current.pending),
  )}${card(fillMarkup(texts.last, { days: periods.length }).text, signed(net))}</div>
<h2>${texts.growth}</h2><div class="card">${upAndDownChart(texts.growth, places)}</div>`
}

const show: Handler = async (visit) => {
  const { feeds: texts } = visit.options.texts
  const feed = await storedFeed(visit)
  const { name, title, description, wordings, returnUrls, open } = feed
  const path = at('feeds', name)
  const mayWrite = may(visit, 'feeds:write')
  const content = html`${doneNotice(visit)}
${actions([
  link(withQuery('/subscriptions', { feed: name }), texts.subscriptions),
  mayWrite && link(`${path}/edit`, texts.edit),
  mayWrite && link(`${path}/face`, texts.face.title),
  mayWrite && (open ? link(`${path}/stop`, texts.stop) : link(`${path}/start`, texts.start)),
  visit.options.previews?.embedded && link(`${path}/embed`, texts.embed),
  mayWrite && name !== 'default' && html`<a class="grave" href="${path}/delete">${texts.delete}</a>`,
])}
${may(visit, 'stats:read') && (await numbers(visit, name))}
<h2>${texts.stored}</h2>
${facts([
  [texts.name, code(name)],
  [texts.description, description],
  ...SETTINGS.map((setting) => [texts.settings[setting], publishedFeed(feed)[setting] ?? undefined] as const),
  [texts.returnUrls, returnUrls.join(' ')],
  [
    texts.asks,
    feed.fields.map(({ name, type, required }) => html`${name} (${type}${required ? `, ${texts.required}` : ''})<br>`),
  ],
  [texts.updated, time(feed.updatedAt)],
])}
${previewLinks(visit, feed)}
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
  return { page: { title: `${texts.oneTitle} ${name}`, heading: title, badges: openBadge(visit, open), content } }
}

const turning = (turn: 'start' | 'stop') =>
  deed(`/feeds/{name}/${turn}`, PatchFeedUseCase, {
    question: ({ options, params }) => {
      const { feeds: texts } = options.texts
      const name = params.name ?? ''
      return { title: texts[turn], of: name, about: texts.turns[turn], button: texts[turn], back: at('feeds', name) }
    },
    work: async ({ options, caller, params }) => {
      const name = params.name ?? ''
      await options.useCases.patchFeed.execute({ name, open: turn === 'start' }, caller)
      return { to: `${at('feeds', name)}?done=saved` }
    },
  })

/** What a site puts into a page of its own. */
const embed: Handler = async (visit) => {
  const { options } = visit
  const { feeds: texts } = options.texts
  const feed = await storedFeed(visit)
  if (options.previews?.embedded === undefined) throw notFound(options)
  const content = html`<p>${texts.embedAbout}</p><pre><code>${options.previews.embedded(feed)}</code></pre>`
  return { page: { title: `${texts.embed}: ${feed.name}`, content } }
}

/** Those of one line, by the names that they have in its record. */
const SETTINGS = Object.keys(SHIPPED_TEXTS.feeds.settings) as (keyof Texts['feeds']['settings'])[]

/** With the values of the form, once there is one. */
const editing = (visit: Visit, feed: Feed | undefined): Question => {
  const { form, options } = visit
  const { feeds: texts } = options.texts
  const hints: Readonly<Record<string, string>> = texts.hints
  const sent = form.has('title')
  const record = feed && publishedFeed(feed)
  const known: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(SETTINGS.map((setting) => [setting, record?.[setting] ?? undefined])),
    description: feed?.description,
    wording: feed && currentWording(feed)?.text,
    return_urls: feed?.returnUrls.join('\n'),
    fields: record && linesOf(record.fields),
  }
  const value = (name: string) => (sent ? form.text(name) : known[name])
  return {
    title: feed === undefined ? texts.create : texts.edit,
    ...(feed !== undefined && { of: feed.name, anew: visit.path }),
    about: feed === undefined ? texts.createAbout : texts.editAbout,
    ...(feed === undefined && { overtaken: { field: 'name', message: texts.taken } }),
    button: texts.save,
    back: feed === undefined ? '/feeds' : at('feeds', feed.name),
    fields: (
      problems,
    ) => html`${feed === undefined ? field('name', texts.name, { value: value('name'), required: true, problems }) : heldTo(visit, feed)}
${SETTINGS.map((name) => field(name, texts.settings[name], { value: value(name), hint: hints[name], problems }))}
${field('description', texts.description, { rows: 3, value: value('description'), problems })}
${field('wording', texts.wording, { rows: 4, value: value('wording'), hint: texts.wordingHint, problems })}
${field('return_urls', texts.returnUrls, { rows: 2, value: value('return_urls'), problems })}
${field('fields', texts.asks, { rows: 6, value: value('fields'), hint: texts.asksHint, problems })}
${feed !== undefined && feed.fields.length > 0 && tick('erase_fields', texts.eraseFields, form.has('erase_fields'))}
${tick('open', texts.opens, sent ? form.has('open') : (feed?.open ?? true))}`,
  }
}

/** A field per line, as in the record of a feed. */
const linesOf = (fields: readonly object[]): string => fields.map((each) => JSON.stringify(each)).join('\n')

/** @throws {InvalidInput} a line is not JSON */
const fieldsOf = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at): unknown => {
      try {
        return JSON.parse(line)
      } catch {
        throw new InvalidInput([{ field: 'fields', message: `Line ${at + 1} is not JSON.` }])
      }
    })

const save = async (visit: Visit, feed: Feed | undefined): Promise<Answer> => {
  const { options, caller, form } = visit
  const name = feed?.name ?? form.text('name')
  const command = { ...fieldsIn(visit), name, precondition: unchanged(visit, feed) }
  try {
    await options.useCases.putFeed.execute(command, caller)
  } catch (error) {
    // What has values is a matter of what was typed here, as any other problem with it.
    throw error instanceof FieldInUse ? new InvalidInput([{ field: 'fields', message: error.message }]) : error
  }
  return { to: `${at('feeds', name)}?done=saved` }
}

const fieldsIn = ({ form }: Visit) => {
  const given = Object.fromEntries(SETTINGS.map((name) => [name, form.text(name).trim() || undefined]))
  return {
    ...camelCased(given as Record<(typeof SETTINGS)[number], string | undefined>),
    description: form.text('description'),
    wording: form.text('wording'),
    returnUrls: form.text('return_urls').split(/\s+/).filter(Boolean),
    open: form.has('open'),
    fields: form.has('fields') ? fieldsOf(form.text('fields')) : undefined,
    removedFields: form.has('erase_fields') ? ('erase' as const) : undefined,
  }
}

const deleting = (visit: Visit, feed: Feed): Question => {
  const { feeds: texts } = visit.options.texts
  return {
    title: texts.delete,
    of: feed.name,
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

const remove = async ({ options, caller, form }: Visit, { name }: Feed): Promise<Answer> => {
  await options.useCases.deleteFeed.execute({ name, subscriptions: form.has('erase') ? 'erase' : undefined }, caller)
  return { to: '/feeds?done=feedDeleted' }
}

export const feedScreens: Readonly<Record<string, Handler>> = {
  'GET /feeds': list,
  ...deed('/feeds/-/new', PutFeedUseCase, { question: editing, work: save }),
  'GET /feeds/{name}': show,
  ...turning('start'),
  ...turning('stop'),
  'GET /feeds/{name}/embed': embed,
  ...deed('/feeds/{name}/edit', PutFeedUseCase, { subject: storedFeed, question: editing, work: save }),
  ...deed('/feeds/{name}/delete', DeleteFeedUseCase, {
    subject: storedFeed,
    question: deleting,
    work: remove,
    around: freshly,
  }),
}
