import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Guarded,
  ImportSubscriptionsUseCase,
  ImportSuppressionsUseCase,
  ImportUsersUseCase,
  InvalidInput,
  leaversByName,
  parseCauseMeanings,
  parseColumns,
  parseFieldNames,
  parseStatusMeanings,
} from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import { ConsoleError } from '../console-error.ts'
import type { AnySummary, ImportJob, ImportWork } from '../imports.ts'
import { field, radios, select, tick } from '../parts/fields.ts'
import { goesOn } from '../parts/goes-on.ts'
import { actions, at, button, doneNotice, facts, link, notice, number, table } from '../parts/parts.ts'
import { feedSelect } from '../parts/searching.ts'
import { type Answer, askToLogIn, freshly, type Handler, may, only, type Visit } from '../visit.ts'

const exportForm = async (visit: Visit): Promise<Html> => {
  const { transfer: texts, subscriptions: words } = visit.options.texts
  const { any, pending, confirmed, ended } = words.statuses
  return html`<form method="get" action="/transfer/export">
${await feedSelect(visit, visit.query.get('feed') ?? undefined)}
${select('status', words.status, { '': any, pending, confirmed, ended })}
${select('format', texts.format, { ndjson: 'NDJSON', csv: 'CSV', excel: 'CSV (Excel ,)', 'excel-semicolon': 'CSV (Excel ;)' })}
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

/** Why a file cannot be taken as it is, and where it is kept meanwhile. */
interface Problem {
  readonly error: InvalidInput
  readonly job?: ImportJob
}

const importForm = (visit: Visit, problem?: Problem): Html => {
  const { options, form, imports, caller } = visit
  const { error, job } = problem ?? {}
  const kept = job && imports.fileOf(job.id, caller)
  const { transfer: texts } = options.texts
  const said = error && notice('alarm', error.details.map(({ message }) => message).join(' '))
  const services = Object.entries(options.foreign?.services ?? {})
  const sources = { '': texts.ownFile, ...Object.fromEntries(services) }
  const foreign = html`${select('from', texts.from, sources, form.text('from'))}
<details class="more"${form.text('from') !== '' && html` open`}><summary>${texts.foreign}</summary><div>
${field('feed', texts.feed, { id: 'import-feed', hint: texts.feedHint, value: form.text('feed') })}
${field('consent', texts.consent, { hint: texts.consentHint, value: form.text('consent') })}
${field('confirmed_at', texts.confirmedAt, { hint: texts.confirmedAtHint, value: form.text('confirmed_at') })}
</div></details>`
  const isTold = kept !== undefined || ['map', 'status', 'ignore', 'update'].some((name) => form.text(name) !== '')
  return html`${said}<form method="post" action="/transfer/import" enctype="multipart/form-data">
${radios('what', texts.what, kinds(visit), form.text('what') || 'subscriptions')}
<label for="file">${texts.file}</label>${job && kept && html`<input type="hidden" name="kept" value="${job.id}"><p class="hint quiet">${fillMarkup(texts.keptFile, { name: kept.name })}</p>`}
<input type="file" id="file" name="file"${kept === undefined && html` required`} accept=".csv,.ndjson,.jsonl">
${radios('format', texts.format, { csv: 'CSV', ndjson: 'NDJSON' }, form.text('format') || 'csv')}
${services.length > 0 && foreign}
<details class="more"${isTold && html` open`}><summary>${texts.columns}</summary><div>
${field('map', texts.map, { hint: texts.mapHint, value: form.text('map') })}
${field('status', texts.meanings, { id: 'meanings', hint: texts.meaningsHint, value: form.text('status') })}
${field('ignore', texts.ignore, { hint: texts.ignoreHint, value: form.text('ignore') })}
${field('update', texts.update, { hint: texts.updateHint, value: form.text('update') })}
</div></details>
${tick('mail', texts.mail, form.has('mail'))}
<button type="submit">${texts.rehearse}</button></form>`
}

const page = async (visit: Visit, problem?: Problem): Promise<Answer> => {
  const { transfer: texts } = visit.options.texts
  const exporting = await exportForm(visit)
  const importing = may(visit, 'subscriptions:import') && importForm(visit, problem)
  const content = html`${doneNotice(visit)}
<h2>${texts.import}</h2><p>${texts.importHint}</p>${importing}
<h2>${texts.export}</h2><p>${texts.exportHint}</p>${may(visit, 'subscriptions:export') && exporting}`
  return { page: { title: texts.title, content, status: problem ? 422 : 200 } }
}

/** What separates the cells of each kind of file for Excel. */
const EXCEL: ReadonlyMap<string, string> = new Map([
  ['excel', 'comma'],
  ['excel-semicolon', 'semicolon'],
])

const exported: Handler = async ({ options, caller, query }) => {
  const [feed, status] = ['feed', 'status'].map((name) => query.get(name) || undefined)
  const chosen = query.get('format') ?? ''
  const [format, excel] = [chosen === 'csv' || EXCEL.has(chosen) ? 'csv' : 'ndjson', EXCEL.has(chosen)]
  const order = { feed, status, format, excel, separator: EXCEL.get(chosen) }
  const file = await options.useCases.exportSubscriptions.execute(order, caller)
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
  return { file, type, name: `subscriptions.${format}` }
}

const pathOf = ({ id }: ImportJob): string => at('transfer', 'imports', id)

const reasons = ({ options }: Visit, job: ImportJob): Html => {
  const { transfer: texts } = options.texts
  const inOrder = [...job.reasons.values()].sort((a, b) => b.count - a.count)
  return table(
    texts.refused,
    [
      { head: texts.why, cell: ({ about }) => about },
      { head: texts.rows, isNumber: true, cell: ({ count }) => number(count) },
      {
        head: texts.examples,
        cell: ({ examples, about }) =>
          examples.map(
            ({ line, message, text }) =>
              html`<span class="zone below">${texts.line} ${line}${message !== about && `: ${message}`} <code class="said">${text}</code></span>`,
          ),
      },
    ],
    inOrder,
    texts.noneRefused,
  )
}

const report = (visit: Visit, job: ImportJob, summary: AnySummary): Html => {
  const { transfer: texts } = visit.options.texts
  const rehearsed = job.phase === 'looked'
  const updated = ('updated' in summary && summary.updated) || 0
  return html`${notice(rehearsed ? 'hint' : 'done', rehearsed ? texts.rehearsed : texts.imported)}
${rehearsed && summary.imported + updated > 0 && actions([button(pathOf(job), texts.importButton, { hidden: { deed: 'import' } })])}
${facts([
  [texts.rows, number(summary.rows)],
  [rehearsed ? texts.would : texts.taken, number(summary.imported)],
  [texts.updated, 'updated' in summary && number(updated)],
  [texts.unchanged, 'unchanged' in summary && number(summary.unchanged)],
  [texts.blocked, 'blocked' in summary && number(summary.blocked)],
  [texts.undeliverable, 'undeliverable' in summary && number(summary.undeliverable)],
  [texts.refused, number(summary.refused)],
  [texts.leftOut, 'left_out' in summary && number(summary.left_out ?? 0)],
  [texts.unused, summary.ignored?.join(', ')],
  [
    texts.unread,
    'unread' in summary && summary.unread?.map(({ field, value, count }) => `${field}: ${count} (${value})`).join(', '),
  ],
  [texts.interrupted, summary.interrupted && texts.yes],
])}
<h2>${texts.refused}</h2>${reasons(visit, job)}`
}

/** So long a request waits for the end of what it began; then the page says how far it has come. */
const PATIENCE = 2_000

const patiently = ({ turn }: ImportJob): Promise<void> =>
  Promise.race([turn, sleep(PATIENCE, undefined, { ref: false })])

const GUARDED: ReadonlyMap<string, Guarded> = new Map<string, Guarded>([
  ['users', ImportUsersUseCase],
  ['suppressions', ImportSuppressionsUseCase],
])

const importing: Handler = async (visit) => {
  const { form, options, imports, caller } = visit
  const { transfer: texts } = options.texts
  // Before the file takes the place of another's.
  const guarded = GUARDED.get(form.text('what')) ?? ImportSubscriptionsUseCase
  await options.useCases.access.requireFirst(caller, guarded)
  const sent = form.file('file')
  const file = sent
    ? { name: sent.name, bytes: new Uint8Array(await sent.arrayBuffer()) }
    : imports.fileOf(form.text('kept'), caller)
  if (file === undefined)
    return await page(visit, { error: new InvalidInput([{ field: 'file', message: texts.noFile }]) })
  const work: ImportWork = async (...given) => await workOf(visit, file.name)(...given)
  const job = imports.begin(file, { work, guarded }, caller)
  await patiently(job)
  const { error } = job
  if (error instanceof InvalidInput) return await page(visit, { error, job })
  if (error !== undefined) throw error
  return { to: pathOf(job) }
}

const found = ({ imports, params, caller, options }: Visit): ImportJob => {
  const job = imports.find(params.id ?? '', caller)
  if (job === undefined) throw new ConsoleError('NotFound', options.texts.transfer.notKept)
  return job
}

/** The page quotes the file: whoever may not import such a file any more does not see it either. */
const shown: Handler = async (visit) => {
  const job = found(visit)
  return await only(job.guarded.permission, async () => shownJob(visit, job))(visit)
}

const shownJob = (visit: Visit, job: ImportJob): Answer => {
  const { transfer: texts } = visit.options.texts
  if (job.error !== undefined) throw job.error
  const { phase, read, size, summary } = job
  const content = html`${
    phase === 'looking' || phase === 'importing'
      ? html`<p>${texts.underWay[phase]}</p>${goesOn(visit, pathOf(job), read, size)}`
      : summary && report(visit, job, summary)
  }
<p>${link('/transfer', texts.another)}</p>`
  return { page: { title: texts.phases[phase], content } }
}

const goOn: Handler = async (visit) => {
  const job = found(visit)
  await visit.options.useCases.access.requireFirst(visit.caller, job.guarded)
  if (visit.form.text('deed') === 'import') {
    if (!visit.isFresh) return askToLogIn(visit)
    visit.imports.carryOut(job, visit.caller)
  }
  await patiently(job)
  return { to: pathOf(job) }
}

/** What is only said of other files than these. */
const OF_OTHERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['users', ['status', 'from', 'update']],
  ['suppressions', ['ignore', 'from', 'update']],
])

/** @throws {InvalidInput} what is told of the file cannot be read, or does not go with it */
const workOf = ({ options, form }: Visit, fileName: string): ImportWork => {
  const { importSubscriptions, importSuppressions, importUsers } = options.useCases
  const what = form.text('what')
  const told = (name: string): string | undefined => form.text(name).trim() || undefined
  const [map, status, ignore, from, update] = ['map', 'status', 'ignore', 'from', 'update'].map(told)
  const stray = (OF_OTHERS.get(what) ?? []).find(told)
  if (stray !== undefined) throw new InvalidInput([{ field: stray, message: options.texts.transfer.notForThese }])
  const columns = { names: parseFieldNames(map), ignored: parseColumns(ignore) }
  const format = form.text('format')
  const more = { mail: form.has('mail') ? 'send' : undefined, update: update?.split(/\s*,\s*/) }
  if (from !== undefined && options.foreign !== undefined) {
    const { foreign } = options
    const [feed, consent, confirmedAt] = ['feed', 'consent', 'confirmed_at'].map(told)
    const order = { ...columns, service: from, fileName, feed, consent, confirmedAt }
    return (body, dryRun, caller) => foreign.importFrom(order, body, { ...more, dryRun, caller })
  }
  const problem = OF_OTHERS.has(what) ? undefined : leaversByName({ file: fileName, format, names: columns.names })
  if (problem !== undefined) throw new InvalidInput([{ field: 'file', message: problem }])
  return async (body, dryRun, caller) => {
    const command = { ...columns, format, body, dryRun }
    if (what === 'users') return await importUsers.execute(command, caller)
    if (what === 'suppressions')
      return await importSuppressions.execute({ ...command, causes: parseCauseMeanings(status) }, caller)
    return await importSubscriptions.execute({ ...command, statuses: parseStatusMeanings(status), ...more }, caller)
  }
}

export const transferScreens: Readonly<Record<string, Handler>> = {
  'GET /transfer': (visit) => page(visit),
  'GET /transfer/export': freshly(exported),
  'POST /transfer/import': importing,
  'GET /transfer/imports/{id}': shown,
  'POST /transfer/imports/{id}': goOn,
}
