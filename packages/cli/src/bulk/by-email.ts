import { asciiDomain } from '@rollcall/core'
import { nodeDomainNames } from '@rollcall/platform-node'
import { inOrder } from '../in-order.ts'
import type { Service } from '../service/service.ts'
import type { Session } from '../session.ts'
import { refusalOf } from './bulk-row.ts'
import { SeenIds } from './id-list.ts'
import type { IdRow, IdSource } from './id-source.ts'

/** What a command is told of the users that it is about. */
export type By = 'email' | 'id'

export const isAddress = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text)

const NOT_FOUND = { name: 'UserNotFound', message: 'No user has this e-mail address.' }
const NO_ADDRESS = { name: 'NoAddress', message: 'This is no e-mail address. Without --by email it is an id.' }

/** By what two spellings of an address are one. */
const keyOf = (address: string): string => {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  // A host's own store may hold others than ours: those are compared as they are.
  const ascii = asciiDomain(domain, nodeDomainNames) ?? domain
  return `${address.slice(0, at).normalize('NFC').toLowerCase()}@${ascii}`
}

/** The id of the user with this very address; undefined if there is none. */
const findByEmail = async (service: Service, address: string): Promise<string | undefined> => {
  const key = keyOf(address)
  let cursor: string | undefined
  do {
    // A query finds all that begin so.
    const { items, next } = await service.ask('listUsers', { query: address, limit: 200, cursor })
    const found = items.find(({ email }) => keyOf(email) === key)
    if (found !== undefined) return found.id
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return undefined
}

/**
 * The id of the user that one names by hand.
 * @throws {RollcallError} no user has this address
 */
export const idOf = async (session: Session, text: string, by: By = 'id'): Promise<string> => {
  if (by === 'id') return text
  const address = text.trim()
  if (!isAddress(address)) throw refusalOf({ ...NO_ADDRESS, name: 'UserNotFound' })
  const id = await session.withService((service) => findByEmail(service, address))
  if (id === undefined) throw refusalOf(NOT_FOUND)
  return id
}

/** Look-ups that are under way together. */
const AT_ONCE = 16

/** The rows of a list of addresses, by the ids of their users; who has none is refused. */
export const byEmail = (service: Service, source: IdSource): IdSource => ({
  rereadable: source.rereadable,
  rows: async function* () {
    const seen = new SeenIds()
    for await (const look of inOrder(source.rows(), AT_ONCE, (row) => settled(rowByEmail(service, row)))) {
      const row = look()
      yield { ...row, repeated: row.id !== '' && !seen.add(row.id) }
    }
  },
})

const rowByEmail = async (service: Service, row: IdRow): Promise<IdRow> => {
  const address = row.id.trim()
  if (address === '') return row
  if (!isAddress(address)) return { ...row, refusal: NO_ADDRESS }
  const id = await findByEmail(service, address)
  return id === undefined ? { ...row, refusal: NOT_FOUND } : { ...row, id }
}

/** What came of it, for later: nothing is rejected before somebody waits for it. */
const settled = async <Result>(result: Promise<Result>): Promise<() => Result> => {
  try {
    const value = await result
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const HELD_IDS = '`rollcall user list --held` shows the ids of those who can come back.'

/** Says once of ids that look like addresses how to go by those. */
export const noticingAddresses = (session: Session, source: IdSource, onlyById: boolean): IdSource => {
  let isSaid = false
  return {
    rereadable: source.rereadable,
    rows: async function* () {
      for await (const row of source.rows()) {
        if (!isSaid && isAddress(row.id)) {
          isSaid = true
          await session.remark(
            `These look like e-mail addresses, and are taken for ids. ${onlyById ? HELD_IDS : 'To go by addresses, add --by email.'}`,
          )
        }
        yield row
      }
    },
  }
}
