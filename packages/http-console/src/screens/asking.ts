import {
  DomainError,
  type DomainErrorName,
  type FieldProblem,
  type Guarded,
  type Instant,
  InvalidInput,
  PreconditionFailed,
} from '@rollcall/core'
import { type Html, type HtmlValue, html } from '@rollcall/platform-node'
import { statusOf } from '../console-error.ts'
import { field } from '../parts/fields.ts'
import { link, notice } from '../parts/parts.ts'
import { type Answer, type Handler, only, type Visit } from '../visit.ts'

/** A page that asks before anything is done, and shows again what was wrong with the answer. */
export interface Question {
  readonly title: string
  /** The id or name of what it is about. */
  readonly of?: string
  /** What people call it, if that is something else. */
  readonly called?: string
  /** What it is about, and what will be different. */
  readonly about: HtmlValue
  readonly button: string
  readonly kind?: 'grave'
  /** Whether a reason goes on record, and whether it has to. */
  readonly reason?: 'required' | 'optional'
  readonly fields?: (problems: readonly FieldProblem[]) => Html
  readonly back: string
  readonly multipart?: boolean
  /** Where the form begins anew, with what is stored by now; as it is shown again, it stays held to what it was opened for. */
  readonly anew?: string
  /** What is wrong if something else came first; by default that it has changed since the page was shown. */
  readonly overtaken?: FieldProblem
  /** What else may be wrong with the answer, and with which field. */
  readonly refusals?: Readonly<Partial<Record<DomainErrorName, string>>>
}

export const ask = (visit: Visit, question: Question, problems: readonly FieldProblem[] = [], status = 422): Answer => {
  const { form, options, path } = visit
  const { asking } = options.texts
  const { title, of, called = of, about, button, kind, reason, fields, back, multipart, anew } = question
  const named = [...(fields?.(problems).text.matchAll(/ name="(\w+)(?:\[\])?"/g) ?? [])]
  const shown = new Set(['reason', ...named.map(([, name]) => name)])
  const others = problems.filter((each) => !shown.has(each.field))
  const said =
    problems.length > 0 &&
    notice('alarm', others.length > 0 ? others.map(({ message }) => message).join(' ') : asking.problem)
  const why =
    reason &&
    field('reason', reason === 'required' ? asking.reason : asking.reasonOptional, {
      value: form.text('reason'),
      hint: asking.reasonHint,
      required: reason === 'required',
      problems,
    })
  const stale = status === 412 && anew && html`<p class="way">${link(anew, asking.anew)}</p>`
  const content = html`${said}${stale}${about instanceof Object ? about : html`<p>${about}</p>`}
<form method="post" action="${path}"${multipart && html` enctype="multipart/form-data"`}>
${fields?.(problems)}
${why}
<button type="submit"${kind && html` class="${kind}"`}>${button}</button>
<p class="way">${link(back, asking.back)}</p>
</form>`
  const full = of === undefined ? title : `${title}: ${of}`
  const heading = called === of ? undefined : `${title}: ${called}`
  return { page: { title: full, heading, content, status: problems.length > 0 ? status : 200 } }
}

/** Does it, or asks again. */
export const answered = async (visit: Visit, question: Question, work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InvalidInput) return ask(visit, question, error.details)
    const refused = error instanceof DomainError && question.refusals?.[error.name]
    if (refused) return ask(visit, question, [{ field: refused, message: error.message }], statusOf(error))
    if (!(error instanceof PreconditionFailed)) throw error
    const changed = { field: '', message: visit.options.texts.asking.changed }
    return ask(visit, question, [question.overtaken ?? changed], 412)
  }
}

interface Deed<Subject> {
  /** What it is about, read anew for the page and for the answer to it. */
  readonly subject?: (visit: Visit) => Promise<Subject>
  readonly question: (visit: Visit, subject: Subject) => Question
  readonly work: (visit: Visit, subject: Subject) => Promise<Answer>
  /** What both handlers have around them. */
  readonly around?: (handler: Handler) => Handler
}

/** The page that asks, and what is done once it is answered: both for those who may do it, whatever they typed. */
export const deed = <Subject = undefined>(
  path: string,
  guarded: Guarded,
  { subject = async () => undefined as Subject, question, work, around = (handler) => handler }: Deed<Subject>,
): Readonly<Record<string, Handler>> => ({
  [`GET ${path}`]: only(
    guarded.permission,
    around(async (visit) => ask(visit, question(visit, await subject(visit)))),
  ),
  [`POST ${path}`]: required(
    guarded,
    around(async (visit) => {
      const about = await subject(visit)
      return await answered(visit, question(visit, about), () => work(visit, about))
    }),
  ),
})

/** Refused, and on record, before what was typed is looked at. */
const required =
  (guarded: Guarded, handler: Handler): Handler =>
  async (visit) => {
    const [named] = Object.values(visit.params)
    const target = named === undefined ? undefined : (guarded.targetOf?.(named) ?? named)
    await visit.options.useCases.access.requireFirst(visit.caller, guarded, target)
    return await handler(visit)
  }

/** What a form is held to, also when it is shown again with what was typed: the state that it was opened for. */
export const heldTo = ({ form }: Visit, { updatedAt }: { readonly updatedAt: Instant }): Html =>
  html`<input type="hidden" name="updated" value="${form.has('updated') ? form.text('updated') : updatedAt}">`

/** The precondition of a form: what it changes is as it was when the page was shown; what it creates is not there yet. */
export const unchanged =
  ({ form }: Visit, shown: object | undefined) =>
  (current: { readonly updatedAt: Instant } | undefined): boolean =>
    shown === undefined ? current === undefined : String(current?.updatedAt) === form.text('updated')

export const reasonIn = ({ form }: Visit): string | undefined => form.text('reason').trim() || undefined
