import { InvalidInput } from '../errors.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import { problemWithText } from '../text.ts'
import { envelopeAddress, parseEmailAddress } from './email-address.ts'
import type { Sender } from './feed.ts'

const LONGEST = 500
const MAILBOX = /^([^<>"]*)<([^<>"]*)>$/

const FIELD = 'sender'
const invalid = (message: string): InvalidInput => new InvalidInput([{ field: FIELD, message }])

/**
 * The sender of mails, as `News <news@example.com>` or an address alone; undefined if not given.
 * @throws {InvalidInput} it is neither, or has a character that mail programs misread
 */
export const parseSender = (text: string | undefined, domainNames: DomainNames): Sender | undefined => {
  if (text === undefined || text === '') return undefined
  const problem = problemWithText(text, LONGEST)
  if (problem !== undefined) throw invalid(problem)
  const [, name = '', mailbox = text] = MAILBOX.exec(text.trim()) ?? []
  if (/[<>"]/.test(mailbox)) throw invalid('Give an address such as News <news@example.com>, without quotation marks.')
  const { value, key } = parseEmailAddress(mailbox.trim(), domainNames, FIELD)
  return { name: name.trim(), address: envelopeAddress(value, key) }
}
