import { dateOf, GROWTH_DAYS, type GrownFeed, joined, left, type Overview } from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import { barChart, sparkline, upAndDownChart } from '../parts/charts.ts'
import {
  actions,
  at,
  type Column,
  card,
  doneNotice,
  link,
  notice,
  number,
  percent,
  signed,
  table,
  tableBelow,
} from '../parts/parts.ts'
import { type Handler, may, type Visit } from '../visit.ts'
import { subscriptionTable } from './subscriptions.ts'
import { waitingTable, whatWaits } from './waiting.ts'

const figures = ({ options }: Visit, { current, counts }: Overview): Html => {
  const { start: texts } = options.texts
  const { confirmed, pending } = current
  const rate = (count = 0) => [
    percent(count, confirmed),
    fillMarkup(texts.rates, { count: number(count), readers: number(confirmed) }),
  ]
  const [[bounceRate, bounces], [complaintRate, complaints]] = [rate(counts.bounced), rate(counts.complained)]
  return html`<div class="cards">${card(texts.subscribers, number(confirmed))}${card(texts.pending, number(pending))}${card(
    texts.bounces,
    String(bounceRate),
    bounces,
  )}${card(texts.complaints, String(complaintRate), complaints)}</div>`
}

const feeds = (visit: Visit, { feeds: grown, others, ...all }: Overview): Html => {
  const { start: texts } = visit.options.texts
  const columns: Column<Omit<GrownFeed, 'feed'> & { readonly feed?: string }>[] = [
    {
      head: texts.feed,
      cell: ({ feed }) => (feed === undefined ? html`<b>${texts.total}</b>` : link(at('feeds', feed), feed)),
    },
    { head: texts.readers, isNumber: true, cell: ({ current }) => number(current.confirmed) },
    ...GROWTH_DAYS.map((days, n) => ({
      head: fillMarkup(texts.last, { days }).text,
      isNumber: true,
      cell: ({ growth }: Pick<GrownFeed, 'growth'>) => signed(growth[n] ?? 0),
    })),
    { head: texts.trend, cell: ({ weeks }) => sparkline(weeks) },
  ]
  const rows = grown.length > 1 ? [...grown, all] : grown
  return html`<h2>${texts.grown}</h2>${table(texts.grown, columns, rows, texts.noFeeds)}${
    others > 0 && html`<p>${link('/feeds', fillMarkup(texts.others, { others }))}</p>`
  }`
}

const growth = ({ options }: Visit, { days }: Overview): Html => {
  const { start: texts } = options.texts
  const places = days.map(({ day, counts }) => ({ label: dateOf(day), up: joined(counts), down: left(counts) }))
  const busy = places.filter(({ up, down }) => up + down > 0)
  return html`<section><h2>${texts.growth}</h2><div class="card">${upAndDownChart(texts.growth, places)}</div>
${tableBelow(
  texts.asTable,
  table(
    texts.growth,
    [
      { head: texts.day, cell: ({ label }) => label },
      { head: texts.joined, isNumber: true, cell: ({ up }) => number(up) },
      { head: texts.left, isNumber: true, cell: ({ down }) => number(down) },
    ],
    busy.toReversed(),
    texts.noDays,
  ),
)}</section>`
}

const STEPS = ['requested', 'mailed', 'confirmed'] as const

/** Imports were not asked for by anybody: they are apart in the numbers. */
const funnel = ({ options }: Visit, { counts }: Overview): Html => {
  const { start: texts } = options.texts
  const requested = counts.requested ?? 0
  const steps = STEPS.map((step) => {
    const count = counts[step] ?? 0
    return { label: texts.steps[step], count, beside: percent(count, requested) }
  })
  return html`<section><h2>${texts.funnel}</h2><div class="card">${barChart(texts.funnel, steps)}</div>
${tableBelow(
  texts.asTable,
  html`<p class="quiet">${texts.funnelHint}</p>${table(
    texts.funnel,
    [
      { head: texts.step, cell: ({ label }) => label },
      { head: texts.number, isNumber: true, cell: ({ count }) => number(count) },
      { head: texts.share, isNumber: true, cell: ({ beside }) => beside },
    ],
    steps,
    texts.noFeeds,
  )}`,
)}</section>`
}

/** So many of the last sign-ups. */
const FEW = 8

const newest = async (visit: Visit): Promise<Html> => {
  const { options, caller } = visit
  const { start: texts } = options.texts
  const { items } = await options.useCases.listSubscriptions.execute({ sort: 'newest', limit: FEW }, caller)
  const found = subscriptionTable(visit, items, { title: texts.newest, nothing: texts.noFeeds })
  return html`<h2>${texts.newest}</h2>${found}
${actions([items.length > 0 && link('/subscriptions', texts.allNewest)])}`
}

const start: Handler = async (visit) => {
  const { options, caller } = visit
  const { start: texts } = options.texts
  if (!may(visit, 'subscriptions:read') && !may(visit, 'stats:read'))
    return { page: { title: texts.title, content: html`${doneNotice(visit)}${notice('hint', texts.notAllowed)}` } }
  const [overview, waiting, last] = await Promise.all([
    may(visit, 'stats:read') ? options.useCases.showOverview.execute({}, caller) : undefined,
    may(visit, 'outbox:read') ? whatWaits(visit) : undefined,
    may(visit, 'subscriptions:read') && newest(visit),
  ])
  const content = html`${doneNotice(visit)}${overview && figures(visit, overview)}
${waiting && html`<h2>${texts.waits}</h2>${waitingTable(visit, waiting)}`}
${overview && feeds(visit, overview)}
${overview && html`<div class="pair">${growth(visit, overview)}${funnel(visit, overview)}</div>`}
${last}`
  return { page: { title: texts.title, content } }
}

export const startScreens: Readonly<Record<string, Handler>> = { 'GET /': start }
