import { hash } from 'node:crypto'
import {
  type ImportSummary,
  InvalidInput,
  parseColumns,
  parseFieldNames,
  parseStatusMeanings,
  type RefusedRow,
  type SuppressionSummary,
  type UserImportSummary,
} from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { field, radios, select, tick } from '../parts/fields.ts'
import { doneNotice, facts, notice, table } from '../parts/parts.ts'
import { type Answer, type Handler, may, type Visit } from '../visit.ts'

const exportForm = (visit: Visit, feeds: readonly string[]): Html => {
  const { transfer: texts, subscriptions: words } = visit.options.texts
  const { any, pending, confirmed, ended } = words.statuses
  const names = Object.fromEntries(feeds.map((name) => [name, name]))
  return html`<form method="get" action="/transfer/export">
${select('feed', words.feed, { '': any, ...names })}
${select('status', words.status, { '': any, pending, confirmed, ended })}
${select('format', texts.format, { ndjson: 'NDJSON', csv: 'CSV' })}
<button type="submit" class="second">${texts.exportButton}</button></form>`
}

/** What a file may hold, for those who may import it. */
const kinds = (visit: Visit): Readonly<Record<string, string>> => {
  const { subscriptions, users, suppressions } = visit.options.texts
  return {
    ...(may(visit, 'subscriptions:import') && { subscriptions: subscriptions.title }),
    ...(may(visit, 'users:import') && { users: users.title }),
    ...(may(visit, 'suppressions:import') && { suppressions: suppressions.title }),
  }
}

const importForm = (visit: Visit, checked: string, error?: InvalidInput): Html => {
  const { options, query, form } = visit
  const { transfer: texts } = options.texts
  const said = error && notice('alarm', error.details.map(({ message }) => message).join(' '))
  const format = form.text('format') || query.get('format') || 'csv'
  return html`${said}<form method="post" action="/transfer/import" enctype="multipart/form-data">
${radios('what', texts.what, kinds(visit), form.text('what') || 'subscriptions')}
<label for="file">${texts.file}</label><input type="file" id="file" name="file" required accept=".csv,.ndjson,.jsonl">
${radios('format', texts.format, { csv: 'CSV', ndjson: 'NDJSON' }, format)}
${field('map', texts.map, { hint: texts.mapHint, value: form.text('map') })}
${field('status', texts.meanings, { id: 'meanings', hint: texts.meaningsHint, value: form.text('status') })}
${field('ignore', texts.ignore, { hint: texts.ignoreHint, value: form.text('ignore') })}
${tick('mail', texts.mail, form.has('mail'))}
<input type="hidden" name="checked" value="${checked}">
<button type="submit" name="deed" value="rehearse">${texts.rehearse}</button>
${checked !== '' && html`<button type="submit" name="deed" value="import" class="grave">${texts.importButton}</button>`}</form>`
}

const page = async (visit: Visit, before: Html | undefined, checked: string, error?: InvalidInput): Promise<Answer> => {
  const { options, caller } = visit
  const { transfer: texts } = options.texts
  const feeds = await options.useCases.listFeeds.execute({ limit: 200 }, caller)
  const exporting =
    may(visit, 'subscriptions:export') &&
    exportForm(
      visit,
      feeds.items.map(({ name }) => name),
    )
  const importing = may(visit, 'subscriptions:import') && importForm(visit, checked, error)
  const content = html`${doneNotice(visit)}${before}
<h2>${texts.import}</h2><p>${texts.importHint}</p>${importing}
<h2>${texts.export}</h2><p>${texts.exportHint}</p>${exporting}`
  return { page: { title: texts.title, content, status: error ? 422 : 200 } }
}

const exported: Handler = async ({ options, caller, query }) => {
  const [feed, status] = ['feed', 'status'].map((name) => query.get(name) || undefined)
  const format = query.get('format') === 'csv' ? 'csv' : 'ndjson'
  const file = await options.useCases.exportSubscriptions.execute({ feed, status, format }, caller)
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
  return { file, type, name: `subscriptions.${format}` }
}

type AnyRefusal = RefusedRow<string>
type AnySummary = ImportSummary | SuppressionSummary | UserImportSummary

/** Refused rows that one page shows; how many there are is in the summary. */
const MOST_SHOWN = 200

const report = ({ options }: Visit, rehearsed: boolean, summary: AnySummary, refused: readonly AnyRefusal[]): Html => {
  const { transfer: texts } = options.texts
  return html`${notice(rehearsed ? 'hint' : 'done', rehearsed ? texts.rehearsed : texts.imported)}
${facts([
  [texts.rows, summary.rows],
  [texts.would, summary.imported],
  [texts.unchanged, 'unchanged' in summary && summary.unchanged],
  [texts.blocked, 'blocked' in summary && summary.blocked],
  [texts.undeliverable, 'undeliverable' in summary && summary.undeliverable],
  [texts.refused, summary.refused],
  [texts.unused, summary.ignored?.join(', ')],
  [
    texts.unread,
    'unread' in summary && summary.unread?.map(({ field, value, count }) => `${field}: ${count} (${value})`).join(', '),
  ],
  [texts.interrupted, summary.interrupted && texts.yes],
])}
${table(
  texts.refused,
  [
    { head: texts.line, cell: ({ line }) => line },
    { head: texts.why, cell: ({ message }) => message },
  ],
  refused,
  texts.noneRefused,
)}`
}

const importing: Handler = async (visit) => {
  const { form } = visit
  const { transfer: texts } = visit.options.texts
  const file = form.file('file')
  if (file === undefined)
    return await page(visit, undefined, '', new InvalidInput([{ field: 'file', message: texts.noFile }]))
  const bytes = new Uint8Array(await file.arrayBuffer())
  // What is imported is what was looked at: neither another file of the same name, nor the same one as something else.
  const told = ['what', 'format', 'map', 'status', 'ignore'].map((name) => form.text(name))
  const checked = hash('sha256', JSON.stringify([hash('sha256', bytes), ...told]))
  const isRehearsal = form.text('deed') !== 'import'
  if (!isRehearsal && form.text('checked') !== checked)
    return await page(visit, undefined, '', new InvalidInput([{ field: 'file', message: texts.notRehearsed }]))
  try {
    const refused: AnyRefusal[] = []
    let summary: AnySummary | undefined
    for await (const line of await linesOf(visit, bytes, isRehearsal)) {
      if (!('line' in line)) summary = line
      else if (refused.length < MOST_SHOWN) refused.push(line)
    }
    const before = summary && report(visit, isRehearsal, summary, refused)
    return await page(visit, before, isRehearsal ? checked : '')
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return await page(visit, undefined, '', error)
  }
}

/** What is only said of other files than these. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  users: ['status'],
  suppressions: ['map', 'status', 'ignore'],
}

/** The report of the import, or of what it would do. */
const linesOf = async (
  { options, caller, form, stop }: Visit,
  bytes: Uint8Array,
  dryRun: boolean,
): Promise<AsyncIterable<AnyRefusal | AnySummary>> => {
  const { importSubscriptions, importSuppressions, importUsers } = options.useCases
  const [map, status, ignore] = ['map', 'status', 'ignore'].map((name) => form.text(name).trim() || undefined)
  const stray = (OF_OTHERS[form.text('what')] ?? []).find((name) => form.text(name).trim() !== '')
  if (stray !== undefined) throw new InvalidInput([{ field: stray, message: options.texts.transfer.notForThese }])
  const told = { names: parseFieldNames(map), ignored: parseColumns(ignore) }
  const command = { ...told, format: form.text('format'), body: once(bytes), dryRun, stop }
  if (form.text('what') === 'users') return await importUsers.execute(command, caller)
  if (form.text('what') === 'suppressions') return await importSuppressions.execute(command, caller)
  const mail = form.has('mail') ? 'send' : undefined
  return await importSubscriptions.execute({ ...command, statuses: parseStatusMeanings(status), mail }, caller)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

export const transferScreens: Readonly<Record<string, Handler>> = {
  'GET /transfer': (visit) => page(visit, undefined, ''),
  'GET /transfer/export': exported,
  'POST /transfer/import': importing,
}
