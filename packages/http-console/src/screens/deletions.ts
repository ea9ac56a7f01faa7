import { type DeletionRun, InvalidInput, parseColumns, type RowState, type ShownRow } from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import { notFound } from '../error-page.ts'
import { field, radios } from '../parts/fields.ts'
import { goesOn } from '../parts/goes-on.ts'
import { csvLine, idsIn } from '../parts/id-list.ts'
import { at, code, doneNotice, facts, link, notice, pager, table, time, withQuery } from '../parts/parts.ts'
import { type Answer, askToLogIn, type Handler, may, type Visit } from '../visit.ts'

const STATES: readonly RowState[] = ['ready', 'refused', 'deleted', 'failed', 'restored', 'kept', 'listed']

const pathOf = ({ id }: Pick<DeletionRun, 'id'>): string => at('deletions', id)

const form = (visit: Visit, error?: InvalidInput): Html => {
  const { options, form: given } = visit
  const { deletions: texts, transfer, user, asking } = options.texts
  const problems = error?.details ?? []
  return html`${error && notice('alarm', asking.problem)}
<form method="post" action="/deletions" enctype="multipart/form-data">
${field('ids', texts.ids, { rows: 8, value: given.text('ids'), hint: texts.idsHint, problems })}
<label for="file">${texts.file}</label><input type="file" id="file" name="file" accept=".txt,.csv,text/plain,text/csv">
${field('column', texts.column, { value: given.text('column'), hint: texts.columnHint, problems })}
${field('ignore', transfer.ignore, { value: given.text('ignore'), hint: transfer.ignoreHint, problems })}
${field('reason', asking.reasonOptional, { value: given.text('reason'), hint: asking.reasonHint, problems })}
${radios('subscriptions', user.fate, { keep: user.keep, erase: user.erase }, given.text('subscriptions') || 'keep')}
<button type="submit">${texts.plan}</button></form>`
}

const overview = async (visit: Visit, error?: InvalidInput): Promise<Answer> => {
  const { options, caller } = visit
  const { deletions: texts } = options.texts
  const runs = await options.useCases.listDeletionRuns.execute({}, caller)
  const content = html`${doneNotice(visit)}<p>${texts.intro}</p>${form(visit, error)}
<h2>${texts.runs}</h2>
${table(
  texts.runs,
  [
    { head: texts.begun, cell: (run) => link(pathOf(run), time(run.createdAt)) },
    { head: texts.phase, cell: ({ phase }) => texts.phases[phase] },
    { head: texts.rows, cell: ({ rows }) => rows },
    { head: texts.reason, cell: ({ reason }) => reason },
  ],
  runs,
  texts.noRuns,
)}`
  return { page: { title: texts.title, content, status: error ? 422 : 200 } }
}

const plan: Handler = async (visit) => {
  const { options, caller, form: given } = visit
  const file = given.file('file')
  const text = file === undefined ? given.text('ids') : await file.text()
  const subscriptions = given.text('subscriptions') === 'erase' ? 'erase' : 'keep'
  try {
    const [column, ignored] = ['column', 'ignore'].map((name) => given.text(name).trim() || undefined)
    const rows = idsIn(text, { column, ignored: parseColumns(ignored) })
    const command = { rows, reason: given.text('reason').trim(), subscriptions } as const
    const run = await options.useCases.planDeletions.execute(command, caller)
    await options.useCases.continueDeletions.execute({ id: run.id }, caller)
    return { to: pathOf(run) }
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return await overview(visit, error)
  }
}

const underWay = (visit: Visit, run: DeletionRun): Html => {
  const { counts, phase, rows } = run
  if (phase === 'planning') return goesOn(visit, pathOf(run), rows - counts.listed, rows)
  const [done, left] =
    phase === 'restoring'
      ? [counts.restored + counts.kept, counts.deleted]
      : [counts.deleted + counts.failed, counts.ready]
  return goesOn(visit, pathOf(run), done, done + left)
}

const begin = ({ options, form: given }: Visit, run: DeletionRun, error?: InvalidInput): Html => {
  const { deletions: texts } = options.texts
  const { ready } = run.counts
  if (ready === 0) return notice('hint', texts.noneReady)
  return html`${notice('hint', options.deleteGrace > 0 ? texts.held : texts.final)}
<form method="post" action="${pathOf(run)}"><input type="hidden" name="begin" value="deleting">
${field('typed', fillMarkup(texts.type, { ready }).text, { value: given.text('typed'), inputMode: 'numeric', required: true, problems: error?.details })}
<button type="submit" class="grave">${fillMarkup(texts.delete, { ready })}</button></form>`
}

const undo = (visit: Visit, run: DeletionRun): Html | undefined => {
  const { deletions: texts } = visit.options.texts
  if (visit.options.deleteGrace === 0 || run.counts.deleted === 0 || !may(visit, 'users:restore')) return undefined
  return html`<form method="post" action="${pathOf(run)}"><input type="hidden" name="begin" value="restoring">
<p>${texts.undoHint}</p><button type="submit" class="second">${fillMarkup(texts.undo, { deleted: run.counts.deleted })}</button></form>`
}

const whatNext = (visit: Visit, run: DeletionRun, error?: InvalidInput): Html | undefined => {
  if (run.phase === 'planned') return begin(visit, run, error)
  if (run.phase === 'done') return undo(visit, run)
  return run.phase === 'restored' ? undefined : underWay(visit, run)
}

const because = ({ options }: Visit, { because: name = '' }: ShownRow): string => {
  const names: Readonly<Record<string, string>> = options.texts.deletions.because
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name
}

const shown = async (visit: Visit, error?: InvalidInput): Promise<Answer> => {
  const { options, caller, params, query } = visit
  const { deletions: texts, users } = options.texts
  const state = STATES.find((each) => each === query.get('show'))
  const from = query.get('after') ?? '0'
  const after = /^\d{1,6}$/.test(from) ? Number(from) : 0
  const found = await options.useCases.showDeletionRun.execute({ id: params.id ?? '', state, after }, caller)
  if (found === undefined) throw notFound(options)
  const { run, rows, next } = found
  const path = pathOf(run)
  const filters = STATES.filter((each) => run.counts[each] > 0).map((each) => {
    const text = html`${texts.states[each]}: ${run.counts[each]}`
    return html`<li>${each === state ? html`<b>${text}</b>` : link(withQuery(path, { show: each }), text)}</li>`
  })
  const content = html`${facts([
    [texts.phase, texts.phases[run.phase]],
    [texts.begun, time(run.createdAt)],
    [texts.until, time(run.expiresAt)],
    [texts.rows, run.rows],
    [texts.reason, run.reason],
    [options.texts.user.fate, options.texts.user[run.subscriptions]],
  ])}
${error && notice('alarm', options.texts.asking.problem)}
${whatNext(visit, run, error)}
<h2>${texts.report}</h2>
<ul class="tabs">${state !== undefined && html`<li>${link(path, texts.all)}</li>`}${filters}<li>${link(`${path}/report.csv`, texts.download)}</li></ul>
${table(
  texts.report,
  [
    { head: texts.line, cell: ({ line }) => line },
    { head: users.id, cell: ({ userId }) => (userId === '' ? undefined : link(at('users', userId), code(userId))) },
    { head: users.name, cell: ({ user }) => user?.name },
    { head: texts.state, cell: (row) => texts.states[row.state] },
    { head: texts.why, cell: (row) => because(visit, row) },
  ],
  rows,
  texts.noRows,
)}${pager(visit, next, 'after')}`
  return { page: { title: texts.runTitle, content, status: error ? 422 : 200 } }
}

const goOn: Handler = async (visit) => {
  const { options, caller, params, form: given } = visit
  const begins = (['deleting', 'restoring'] as const).find((each) => each === given.text('begin'))
  if (begins === 'deleting' && !visit.isFresh) return askToLogIn(visit)
  try {
    const command = { id: params.id ?? '', begin: begins, typed: given.text('typed') }
    const run = await options.useCases.continueDeletions.execute(command, caller)
    if (run === undefined) throw notFound(options)
    return { to: pathOf(run) }
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return await shown(visit, error)
  }
}

const report: Handler = async (visit) => {
  const { options, caller, params } = visit
  const { useCases } = options
  const id = params.id ?? ''
  const first = await useCases.showDeletionRun.execute({ id }, caller)
  if (first === undefined) throw notFound(options)
  async function* pieces() {
    yield csvLine(['line', 'id', 'state', 'because'])
    for (let part = first; part !== undefined; ) {
      yield part.rows.map((row) => csvLine([row.line, row.userId, row.state, row.because ?? ''])).join('')
      const { next } = part
      part = next === undefined ? undefined : await useCases.showDeletionRun.execute({ id, after: next }, caller)
    }
  }
  return { file: pieces(), type: 'text/csv; charset=utf-8', name: 'deletion-report.csv' }
}

export const deletionScreens: Readonly<Record<string, Handler>> = {
  'GET /deletions': (visit) => overview(visit),
  'POST /deletions': plan,
  'GET /deletions/{id}': (visit) => shown(visit),
  'POST /deletions/{id}': goOn,
  'GET /deletions/{id}/report.csv': report,
}
