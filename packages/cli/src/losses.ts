import { type Feed, RollcallError, type User, type Webhook } from '@rollcall/client'
import type { Command } from 'commander'
import { refusedError, usageError } from './cli-error.ts'
import { type FeedTexts, feedTextsLost } from './feed-texts.ts'
import { agree, canAsk } from './question.ts'
import { type AskOptions, isRefusal } from './service/service.ts'
import type { Session } from './session.ts'
import { inWords } from './texts.ts'
import { asksForNew } from './words.ts'

/**
 * The record as it is; undefined if it is not there, or may not be seen: then a change gives the right refusal.
 * @throws whatever is no refusal
 */
export const findCurrent = async <Item>(find: () => Promise<Item>): Promise<Item | undefined> => {
  try {
    return await find()
  } catch (error) {
    if (error instanceof RollcallError && error.status < 500) return undefined
    throw error
  }
}

/** What a user has and would not have any more. */
export const lostByUser = (
  { name, roles }: Pick<User, 'name' | 'roles'>,
  order: { readonly name: string; readonly roles: readonly string[] },
): readonly string[] => [
  ...quoted('role', without(roles, order.roles)),
  ...(name !== '' && order.name === '' ? ['the name'] : []),
]

interface FeedOrder extends FeedTexts {
  readonly return_urls?: readonly string[] | undefined
  readonly fields?: readonly unknown[] | undefined
}

/** What a feed has and would not have any more. */
export const lostByFeed = (feed: Feed, order: FeedOrder): readonly string[] => [
  ...feedTextsLost(feed, order),
  ...quoted('return URL', without(feed.return_urls, order.return_urls ?? [])),
  ...(order.fields === undefined ? [] : quoted('field', without(namesOf(feed.fields), namesOf(order.fields)))),
]

const namesOf = (fields: readonly unknown[]): readonly string[] =>
  fields.map((field) => (typeof field === 'object' && field !== null && 'name' in field ? String(field.name) : ''))

/** The types of events that a webhook is sent and would not be sent any more. */
export const lostByWebhook = (
  { types }: Pick<Webhook, 'types'>,
  order: { readonly types?: readonly string[] | undefined },
): readonly string[] => (order.types === undefined ? [] : quoted('event type', without(types, order.types)))

const without = (all: readonly string[], left: readonly string[]): readonly string[] =>
  all.filter((one) => !left.includes(one))

const quoted = (what: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`the ${what}${names.length === 1 ? '' : 's'} ${inWords(names.map((name) => `'${name}'`))}`]

interface Replacement<Item> {
  readonly noun: 'feed' | 'user' | 'webhook'
  readonly id: string
  readonly find: () => Promise<Item>
  readonly lost: (current: Item) => readonly string[]
  readonly put: (options: AskOptions) => Promise<{ readonly status: number; readonly data: Item | undefined }>
  /** Do not ask. */
  readonly yes: boolean
}

/**
 * Puts a record. Says what a replacement takes away, and asks if there is a terminal to ask on. By a word that is
 * about new records alone, none is replaced.
 * @throws {CliError} the answer is no; or there is one, and none may be replaced
 */
export const putting = async <Item>(
  session: Session,
  command: Command,
  replacement: Replacement<Item>,
): Promise<{ readonly record: Item; readonly created: boolean }> => {
  const { noun, id, find, put } = replacement
  const onlyNew = asksForNew(command.parent?.args[0])
  if (!onlyNew) await agreeToLosses(session, replacement)
  try {
    const { status, data } = await put({ onlyNew })
    return { record: data ?? (await find()), created: status === 201 }
  } catch (error) {
    if (!onlyNew || !isRefusal(error, 'PreconditionFailed')) throw error
    const ways = `\`rollcall ${noun} set\` changes it, \`rollcall ${noun} put\` replaces it.`
    throw refusedError('PreconditionFailed', `There is a ${noun} ${id} already. ${ways}`)
  }
}

const agreeToLosses = async <Item>(
  session: Session,
  { noun, id, find, lost, yes }: Replacement<Item>,
): Promise<void> => {
  const current = await findCurrent(find)
  const losses = current === undefined ? [] : lost(current)
  if (losses.length === 0) return
  const hint = `\`rollcall ${noun} set\` keeps what it is not given.`
  await session.remark(`This takes ${inWords(losses)} away from ${noun} ${id}; ${hint}`)
  if (!yes && canAsk(session)) await agree(session, `Replace this ${noun} all the same?`, NOTHING_REPLACED)
}

const NOTHING_REPLACED = 'Nothing was changed, because it was not confirmed.'

/** @throws {CliError} there is no option that says what to change */
export const requireSomething = (options: object): void => {
  if (Object.keys(options).length === 0) throw usageError('Say what to change: give at least one option. See --help.')
}
