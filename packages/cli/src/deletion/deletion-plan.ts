import { createHash } from 'node:crypto'
import { type PublishedUser, userRecord } from '@rollcall/core'

/** The first line of a plan: what is to be done to every user in it. */
export interface DeletionPlan {
  /** Random. It is in the audit record of every deletion, so that a second run knows what the first has done. */
  readonly id: string
  readonly createdAt: string
  readonly createdBy: string
  readonly reason: string | undefined
  readonly subscriptions: 'keep' | 'erase'
}

/** One line of a plan: a user to be deleted if nothing has changed, or one that would be refused. */
export type PlannedUser =
  | { readonly id: string; readonly state: string; readonly subscriptions: number; readonly refusal?: undefined }
  | { readonly id: string; readonly refusal: string }

const FORMAT = 'rollcall deletion plan'
const VERSION = 1
/** As of request ids: it is sent as one. */
const PLAN_ID = /^[A-Za-z0-9._-]{1,64}$/

export const planLine = ({ id, createdAt, createdBy, reason, subscriptions }: DeletionPlan): string =>
  line(id, {
    ...{ format: FORMAT, version: VERSION, id, created_at: createdAt, created_by: createdBy },
    ...{ reason: reason ?? null, subscriptions },
  })

/** Valid in this plan only. */
export const plannedUserLine = (plan: Pick<DeletionPlan, 'id'>, planned: PlannedUser): string => line(plan.id, planned)

const line = (planId: string, value: object): string =>
  `${JSON.stringify({ ...value, digest: digestOf(planId, value) })}\n`

/** Shows that a line was changed, or is of another plan; lines can be removed. It does not prove who wrote it. */
const digestOf = (planId: string, value: object): string =>
  createHash('sha256')
    .update(JSON.stringify([planId, value]))
    .digest('base64url')

const requireUnchanged = (planId: string, { digest, ...value }: Members): void => {
  if (digest !== digestOf(planId, value)) throw new SyntaxError('This line was changed; lines can only be removed.')
}

/** @throws {SyntaxError} it is not the first line of a plan; with what to do */
export const parsePlan = (text: string): DeletionPlan => {
  const members = membersOf(text) ?? {}
  const { format, version, id, created_at, created_by, reason, subscriptions } = members
  if (format !== FORMAT) throw new SyntaxError('This is not a plan: its first line does not say that it is one.')
  if (version !== VERSION) throw new SyntaxError(`It has another version; only version ${VERSION} can be read.`)
  if (typeof id !== 'string' || !PLAN_ID.test(id)) throw broken('id')
  if (reason !== undefined && reason !== null && typeof reason !== 'string') throw broken('reason')
  if (subscriptions !== 'keep' && subscriptions !== 'erase') throw broken('subscriptions')
  requireUnchanged(id, members)
  const [createdAt, createdBy] = [created_at, created_by].map((text) => (typeof text === 'string' ? text : 'unknown'))
  return { id, createdAt: `${createdAt}`, createdBy: `${createdBy}`, reason: reason ?? undefined, subscriptions }
}

/** @throws {SyntaxError} it is not a line of this plan */
export const parsePlannedUser = (plan: Pick<DeletionPlan, 'id'>, text: string): PlannedUser => {
  const members = membersOf(text)
  if (members === undefined) throw new SyntaxError('This is not a JSON object.')
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

const broken = (name: string): SyntaxError => new SyntaxError(`'${name}' is missing or not valid.`)

/** A fingerprint of everything that is published of a user: another one as soon as anything has changed. */
export const stateOf = (user: PublishedUser): string =>
  createHash('sha256')
    .update(JSON.stringify(userRecord(user)))
    .digest('base64url')
