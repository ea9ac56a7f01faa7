import { createHash } from 'node:crypto'
import { type PublishedUser, userRecord } from '@rollcall/core'

/** The first line of a plan: what is to be done to everybody in it. */
export interface DeletionPlan {
  /** Random. Every deletion carries it into the audit trail, and by that a second run knows what the first has done. */
  readonly id: string
  readonly createdAt: string
  readonly createdBy: string
  readonly reason: string | undefined
  readonly subscriptions: 'keep' | 'erase'
}

/** One line of a plan: a user who shall go as long as nothing has changed, or one who would be refused. */
export type PlannedUser =
  | { readonly id: string; readonly state: string; readonly subscriptions: number; readonly refusal?: undefined }
  | { readonly id: string; readonly refusal: string }

const FORMAT = 'rollcall deletion plan'
const VERSION = 1
/** As request ids are: it travels as one. */
const PLAN_ID = /^[A-Za-z0-9._-]{1,64}$/

export const planLine = ({ id, createdAt, createdBy, reason, subscriptions }: DeletionPlan): string =>
  line(id, {
    ...{ format: FORMAT, version: VERSION, id, created_at: createdAt, created_by: createdBy },
    ...{ reason: reason ?? null, subscriptions },
  })

/** Good in this plan alone. */
export const plannedUserLine = (plan: Pick<DeletionPlan, 'id'>, planned: PlannedUser): string => line(plan.id, planned)

const line = (planId: string, value: object): string =>
  `${JSON.stringify({ ...value, digest: digestOf(planId, value) })}\n`

/** Shows that a line was changed, or is of another plan; lines can be taken out. It is no proof of who wrote it. */
const digestOf = (planId: string, value: object): string =>
  createHash('sha256')
    .update(JSON.stringify([planId, value]))
    .digest('base64url')

const requireUnchanged = (planId: string, { digest, ...value }: Members): void => {
  if (digest !== digestOf(planId, value))
    throw new SyntaxError('This line is not as it was written; lines can only be taken out.')
}

/** @throws {SyntaxError} it is no first line of a plan; with what to do */
export const parsePlan = (text: string): DeletionPlan => {
  const members = membersOf(text) ?? {}
  const { format, version, id, created_at, created_by, reason, subscriptions } = members
  if (format !== FORMAT) throw new SyntaxError('This is no plan: the first line of one says what it is.')
  if (version !== VERSION) throw new SyntaxError(`It is of another version than ${VERSION}, which is read here.`)
  if (typeof id !== 'string' || !PLAN_ID.test(id)) throw broken('id')
  if (reason !== undefined && reason !== null && typeof reason !== 'string') throw broken('reason')
  if (subscriptions !== 'keep' && subscriptions !== 'erase') throw broken('subscriptions')
  requireUnchanged(id, members)
  const [createdAt, createdBy] = [created_at, created_by].map((told) => (typeof told === 'string' ? told : 'unknown'))
  return { id, createdAt: `${createdAt}`, createdBy: `${createdBy}`, reason: reason ?? undefined, subscriptions }
}

/** @throws {SyntaxError} it is no line of this plan */
export const parsePlannedUser = (plan: Pick<DeletionPlan, 'id'>, text: string): PlannedUser => {
  const members = membersOf(text)
  if (members === undefined) throw new SyntaxError('This is no JSON object.')
  const planned = plannedUserOf(members)
  requireUnchanged(plan.id, members)
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

const broken = (name: string): SyntaxError => new SyntaxError(`'${name}' is missing, or not what it should be.`)

/** A fingerprint of everything that is published of a user: another one as soon as anything has changed. */
export const stateOf = (user: PublishedUser): string =>
  createHash('sha256')
    .update(JSON.stringify(userRecord(user)))
    .digest('base64url')
