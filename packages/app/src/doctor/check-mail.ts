import path from 'node:path'
import { DAY, MailRefusedPermanently, MailUnanswered, MINUTE } from '@rollcall/core'
import type { RelayInspection } from '@rollcall/mail/inspect-relay'
import { isLoopback, OperatorError } from '@rollcall/platform-node'
import { silentLog } from '../log.ts'
import { createMailTransport, mailFolder } from '../mail-transport.ts'
import { openPages } from '../pages.ts'
import { type Check, type CheckContext, type Finding, failed, ok, sentence, warning } from './check.ts'

const SOON = 14 * DAY
const NO_RELAY = 'Set ROLLCALL_SMTP_URL to send them, such as smtps://user:password@smtp.example.com.'

/** The mail relay: reachable, encrypted, trusted, logged in to; and a test mail on request. */
export const checkRelay: Check = {
  name: 'mail relay',
  run: async (context) => {
    const { config, sendTo } = context
    if (config.SMTP_URL !== undefined) return await inspected(context, config.SMTP_URL)
    const folder = path.resolve(mailFolder(config))
    return sendTo === undefined
      ? [warning(`No relay is configured: mails become files in ${folder}.`, NO_RELAY)]
      : [failed('No relay is configured, so no test mail was sent.', NO_RELAY)]
  },
}

const inspected = async ({ config, clock, sendTo }: CheckContext, url: string): Promise<readonly Finding[]> => {
  const { inspectRelay, RelayTrouble } = await import('@rollcall/mail/inspect-relay')
  const testMail = sendTo && { from: config.MAIL_FROM, to: sendTo, publicUrl: config.publicUrl }
  try {
    const inspection = await inspectRelay({
      url,
      testMail: testMail || undefined,
      timeouts: hurried(config.SMTP_TIMEOUTS),
    })
    const sent = sendTo === undefined ? [] : [ok(`It took a test mail for ${sendTo}.`, 'See whether it arrives.')]
    return [...judgedRelay(inspection, clock.now()), ...sent]
  } catch (error) {
    const isForeseen =
      error instanceof OperatorError ||
      error instanceof RelayTrouble ||
      error instanceof MailRefusedPermanently ||
      error instanceof MailUnanswered
    if (!isForeseen) throw error
    return [failed(sentence(error.message), 'Check ROLLCALL_SMTP_URL, and whether this machine reaches the relay.')]
  }
}

/** A person waits for the answer. */
const hurried = (timeouts: CheckContext['config']['SMTP_TIMEOUTS']) =>
  Object.fromEntries(Object.entries(timeouts).map(([phase, time]) => [phase, Math.min(time, MINUTE)]))

/** @param now milliseconds since 1970 */
export const judgedRelay = ({ host, port, protection, login }: RelayInspection, now: number): readonly Finding[] => {
  const at = `${host}:${port}`
  const findings: Finding[] = []
  if (protection === undefined && !isLoopback(host))
    findings.push(warning(`What goes to ${at} can be read on the way.`, 'Use smtps://, or a relay with STARTTLS.'))
  if (protection?.distrust !== undefined && !isLoopback(host))
    findings.push(
      warning(
        `The certificate of ${at} proves nothing (${protection.distrust}).`,
        'Mails are encrypted, but the server is not verified: fix the certificate, or set NODE_EXTRA_CA_CERTS.',
      ),
    )
  const left = protection?.expires === undefined ? Number.POSITIVE_INFINITY : protection.expires - now
  if (left < SOON) findings.push(warning(`The certificate of ${at} ${endOf(left)}.`, 'See that it is renewed.'))
  if (login === 'not-offered')
    findings.push(
      failed(`${at} asks for no name and password, though some are set.`, 'Leave them out, or check the port.'),
    )
  if (findings.length > 0) return findings
  const encrypted = protection === undefined ? '' : ', encrypted'
  return [ok(`${at} answers${encrypted}${login === 'taken' ? ', and takes the password' : ''}.`)]
}

const endOf = (left: number): string => (left < 0 ? 'has expired' : `expires in ${Math.floor(left / DAY)} days`)

/** Who mails come from, and whether that goes with where their links lead. */
export const checkSender: Check = {
  name: 'sender',
  run: async ({ config: { MAIL_FROM, SMTP_URL, publicUrl } }) => {
    const domain = /@([^@>\s]+)>?\s*$/.exec(MAIL_FROM)?.[1]?.toLowerCase() ?? ''
    if (!domain.includes('.'))
      return SMTP_URL === undefined
        ? []
        : [
            failed(
              `Mails come from ${domain}, which no other machine takes mails from.`,
              'Set ROLLCALL_MAIL_FROM to an address of a domain of yours.',
            ),
          ]
    const { hostname } = new URL(publicUrl)
    if (areKin(domain, hostname)) return [ok(`Mails come from ${domain}.`)]
    return [
      warning(
        `Mails come from ${domain}, and their links lead to ${hostname}.`,
        'Use one domain for ROLLCALL_MAIL_FROM and ROLLCALL_PUBLIC_URL: filters distrust mails that lead elsewhere.',
      ),
    ]
  },
}

const REGISTERED = 2

/** Whether they end alike: in the second level at least. */
const areKin = (one: string, other: string): boolean => tail(one) === tail(other)

const tail = (domain: string): string => domain.split('.').slice(-REGISTERED).join('.')

/** What the deployer's own files change of mails and pages. */
export const checkWords: Check = {
  name: 'mails and pages',
  run: async ({ config }) => {
    const problems = [
      await problemWith(async () => await (await createMailTransport(config, silentLog)).close()),
      await problemWith(async () => void openPages(config)),
    ].filter((problem) => problem !== undefined)
    return problems.length > 0 ? problems : [ok('Templates, texts and theme can be used.')]
  },
}

const problemWith = async (use: () => Promise<void>): Promise<Finding | undefined> => {
  try {
    await use()
    return undefined
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return failed(error.message)
  }
}
