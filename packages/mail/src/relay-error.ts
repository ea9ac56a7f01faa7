import { MailRefusedPermanently, MailUnanswered, SECOND } from '@rollcall/core'
import type { NodemailerError } from 'nodemailer'
import { type Relay, RelayTrouble } from './relay.ts'
import type { SmtpPhase } from './smtp-timeouts.ts'

/** Why a mail was not sent, as nodemailer says it. */
export type SendingError = NodemailerError & {
  /** The relay got all of it, and did not say whether it takes it. */
  readonly mayHaveArrived?: boolean
}

const LATE: Readonly<Record<SmtpPhase, string>> = {
  connect: 'no connection',
  greeting: 'no greeting',
  command: 'no answer to a command',
  data: 'no answer to DATA',
  block: 'the message was not read',
  dot: 'no answer to the message',
}

/** The relay took longer than it may for this part of the dialogue. */
export const tooLate = (phase: SmtpPhase, time: number): Error =>
  Object.assign(new Error(`${LATE[phase]} within ${time / SECOND} s`), { code: 'ETIMEDOUT' })

/** Whether it says no to the whole mail; what is not understood says neither yes nor no. */
export const isAnswerToMail = ({ code, responseCode = 0 }: NodemailerError): boolean =>
  code === 'EMESSAGE' && responseCode >= 400 && responseCode < 600

// About the dialogue, the relay or this service's account there, not about this address (RFC 5321 section 4.2.3,
// RFC 4954 section 6): unknown or misplaced commands, authentication that is missing or failed.
const NOT_ABOUT_THE_ADDRESS = new Set([500, 502, 503, 504, 530, 534, 535, 538])
// A permanent refusal earlier on (greeting, EHLO, AUTH, MAIL FROM) is about this service: an operator can fix that, and
// the mail is still due.
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])

/** What a failed sending to this address means, in words that may be stored and shown. */
export const relayError = (error: SendingError, relay: Relay, to: string | undefined): Error => {
  const message = redacted(wordsFor(error), [...(to === undefined ? [] : partsOf(to)), ...secretsOf(relay)])
  if (error.mayHaveArrived) return new MailUnanswered(message)
  if (!isPermanent(error)) return new RelayTrouble(message)
  return new MailRefusedPermanently(message, { recipientStatus: recipientStatus(error) })
}

/** With which enhanced status code the recipient was refused. Without one, it may be the relay that is not set up. */
const recipientStatus = ({ command, response = '' }: NodemailerError): string | undefined =>
  command === 'RCPT TO' ? /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response)?.[1] : undefined

const isPermanent = ({ command, responseCode = 0 }: NodemailerError): boolean =>
  ABOUT_THE_MAIL.has(command ?? '') &&
  responseCode >= 500 &&
  responseCode < 600 &&
  !NOT_ABOUT_THE_ADDRESS.has(responseCode)

const wordsFor = (error: SendingError): string => {
  if (error.mayHaveArrived)
    return `The mail may have been delivered: the relay got all of it, and gave no answer (${error.message}).`
  if (error.code === 'ETIMEDOUT') return `The relay took too long: ${error.message}.`
  if (error.response !== undefined && error.command)
    return `The relay answered ${error.command} with: ${error.response}`
  return `The relay could not be used: ${error.message}`
}

const LONGEST = 400
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const ADDRESS = /[^\s<>"',;:()[\]]+@[^\s<>"',;:()[\]]+/g

/** Relays like to repeat the address, or its parts; none of it may outlive its subscription in a log. */
const redacted = (text: string, secrets: readonly string[]): string =>
  secrets
    .reduce((words, secret) => words.replace(occurrences(secret), '<hidden>'), text.replace(ADDRESS, '<hidden>'))
    .replace(CONTROLS, ' ')
    .slice(0, LONGEST)
    .toWellFormed()

/** Long enough to be looked for within other words, such as `%40example.com`. */
const DISTINCTIVE = 4

const occurrences = (secret: string): RegExp => {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return secret.length < DISTINCTIVE
    ? new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu')
    : new RegExp(literal, 'giu')
}

/** Of an address: what a relay may repeat in its answer. */
const partsOf = (address: string): readonly string[] => {
  const at = address.lastIndexOf('@')
  return [address, address.slice(0, at), address.slice(at + 1)]
}

/** Of a relay: what must not be in a log. */
const secretsOf = ({ credentials }: Relay): readonly string[] => {
  if (!credentials) return []
  const { user, pass } = credentials
  return [user, pass, ...[user, pass, `\0${user}\0${pass}`].map((text) => Buffer.from(text).toString('base64'))]
}
