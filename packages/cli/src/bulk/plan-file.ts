import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { accessProblem } from '@rollcall/platform-node'
import { CliError, ExitCode, interrupted, usageError } from '../cli-error.ts'
import { whyUnreadable } from '../input-file.ts'
import { WholeFile } from '../whole-file.ts'
import { SeenIds, textLines } from './id-list.ts'
import { type BulkTerms, KINDS, type Kind } from './kinds.ts'

/** The first line of a plan: what is to be done to every user in it. */
export interface Plan {
  /** Random. It is in the audit record of every change, so that a second run knows what the first has done. */
  readonly id: string
  readonly createdAt: string
  readonly createdBy: string
  readonly terms: BulkTerms
}

/** One line of a plan: a user to be deleted if nothing has changed, or one that would be refused. */
export type PlannedUser =
  | { readonly id: string; readonly state: string; readonly subscriptions: number; readonly refusal?: undefined }
  | { readonly id: string; readonly refusal: string }

const formatOf = ({ noun }: Kind): string => `rollcall ${noun} plan`
const VERSION = 1
/** As of request ids: it is sent as one. */
const PLAN_ID = /^[A-Za-z0-9._-]{1,64}$/

const planLine = (kind: Kind, { id, createdAt, createdBy, terms }: Plan): string =>
  line(id, {
    format: formatOf(kind),
    version: VERSION,
    id,
    created_at: createdAt,
    created_by: createdBy,
    ...terms,
    reason: terms.reason ?? null,
  })

/** Valid in this plan only. */
const line = (planId: string, value: object): string =>
  `${JSON.stringify({ ...value, digest: digestOf(planId, value) })}\n`

/** Shows that a line was changed, or is of another plan; lines can be removed. It does not prove who wrote it. */
const digestOf = (planId: string, value: object): string => hash('sha256', JSON.stringify([planId, value]), 'base64url')

const requireUnchanged = (planId: string, { digest, ...value }: Members): void => {
  if (digest !== digestOf(planId, value)) throw new SyntaxError('This line was changed; lines can only be removed.')
}

/** @throws {SyntaxError} it is not the first line of a plan; with what to do */
const parsePlan = (kind: Kind, text: string): Plan => {
  const members = membersOf(text) ?? {}
  const { format, version, id, created_at, created_by, reason, subscriptions, add, remove } = members
  const found = Object.values(KINDS).find((each) => formatOf(each) === format)
  if (found === undefined) throw new SyntaxError('This is not a plan: its first line does not say that it is one.')
  if (found.verb !== kind.verb) throw new SyntaxError(`This is a plan for \`rollcall user ${found.verb}\`.`)
  if (version !== VERSION) throw new SyntaxError(`It has another version; only version ${VERSION} can be read.`)
  if (typeof id !== 'string' || !PLAN_ID.test(id)) throw broken('id')
  if (reason !== undefined && reason !== null && typeof reason !== 'string') throw broken('reason')
  if (subscriptions !== 'keep' && subscriptions !== 'erase' && kind.verb === 'delete') throw broken('subscriptions')
  requireUnchanged(id, members)
  const [createdAt, createdBy] = [created_at, created_by].map((text) => (typeof text === 'string' ? text : 'unknown'))
  const terms = { reason: reason ?? undefined, subscriptions, add, remove } as BulkTerms
  return { id, createdAt: `${createdAt}`, createdBy: `${createdBy}`, terms }
}

/** @throws {SyntaxError} it is not a line of this plan */
const parsePlannedUser = (planId: string, text: string): PlannedUser => {
  const members = membersOf(text)
  if (members === undefined) throw new SyntaxError('This is not a JSON object.')
  const planned = plannedUserOf(members)
  requireUnchanged(planId, members)
  return planned
}

const plannedUserOf = ({ id, state, subscriptions, refusal }: Members): PlannedUser => {
  if (typeof id !== 'string' || id === '') throw broken('id')
  if (typeof refusal === 'string') return { id, refusal }
  if (typeof state !== 'string' || state === '') throw broken('state')
  if (typeof subscriptions !== 'number' || !Number.isSafeInteger(subscriptions)) throw broken('subscriptions')
  return { id, state, subscriptions }
}

type Members = Readonly<Record<string, unknown>>

const membersOf = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const broken = (name: string): SyntaxError => new SyntaxError(`'${name}' is missing or not valid.`)

export type PlanWriter = Awaited<ReturnType<typeof beginPlan>>

/**
 * Writes a plan to a file that appears once the plan is complete.
 * @throws {CliError} the file is there already, or cannot be made
 */
export const beginPlan = async (path: string, kind: Kind, plan: Plan) => {
  const file = await WholeFile.begin(path)
  await file.write(planLine(kind, plan))
  let changes = 0
  return {
    /** How many users the plan would change. */
    changes: (): number => changes,
    add: async (planned: PlannedUser): Promise<void> => {
      if (planned.refusal === undefined) changes++
      await file.write(line(plan.id, planned))
    },
    finish: (): Promise<void> => file.finish(),
    discard: (): Promise<void> => file.discard(),
  }
}

/**
 * Opens a plan, as `--plan` wrote it, or with lines removed by hand.
 * @throws {CliError} it is not a plan, or cannot be read
 */
export const openPlan = async (path: string, kind: Kind, signal: AbortSignal) => {
  const lines = () => textLines(addAbortSignal(signal, createReadStream(path)))
  const plan = await planIn(path, kind, lines).catch((error: unknown) => {
    throw unusable(path, error)
  })
  const rows = async function* () {
    const seen = new SeenIds()
    let number = 0
    try {
      for await (const line of lines()) {
        number++
        if (number === 1 || line.trim() === '') continue
        const planned = parsePlannedUser(plan.id, line)
        yield { id: planned.id, repeated: !seen.add(planned.id), planned }
      }
    } catch (error) {
      throw unusable(path, error, error instanceof RangeError ? number + 1 : number)
    }
  }
  return { plan, source: { rereadable: true, rows } }
}

const planIn = async (path: string, kind: Kind, lines: () => AsyncIterable<string>): Promise<Plan> => {
  // It is read twice, so that a plan that turns out to be broken changes no user.
  const stats = await stat(path)
  if (!stats.isFile()) throw new SyntaxError('It is not a regular file.')
  // Another may have made it, who is asked to: but then not just anyone.
  const access = accessProblem(path, stats, { readable: true, strangers: 'warned' })
  if (access?.refused) throw notTrusted(`The plan '${path}' ${access.problem}. ${access.remedy}`)
  for await (const line of lines()) return parsePlan(kind, line)
  throw new SyntaxError('It is empty.')
}

const notTrusted = (message: string): CliError =>
  new CliError(message, { name: 'PlanNotTrusted', exitCode: ExitCode.unusable })

const unusable = (path: string, error: unknown, line = 1): unknown => {
  if (error instanceof CliError) return error
  if (error instanceof Error && error.name === 'AbortError') return interrupted('Interrupted.')
  const broken = error instanceof SyntaxError || error instanceof RangeError
  const where = line > 1 ? `Line ${line}: ` : ''
  const why = broken ? `${where}${error.message} Make a new one with --plan.` : whyUnreadable(error)
  return why === undefined ? error : usageError(`Cannot use the plan '${path}'. ${why}`, { cause: error })
}
