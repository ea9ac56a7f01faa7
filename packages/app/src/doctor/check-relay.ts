import path from 'node:path'
import { DAY, MailRefusedForGood } from '@rollcall/core'
import type { RelayInspection } from '@rollcall/mail/inspect-relay'
import { isLoopback, OperatorError } from '@rollcall/platform-node'
import { mailFolder } from '../mail-transport.ts'
import type { Check, Patient } from './check.ts'
import { type Finding, failed, ok, sentence, warning } from './finding.ts'

const SOON = 14 * DAY
const NO_RELAY = 'Set ROLLCALL_SMTP_URL to send them, such as smtps://user:password@smtp.example.com.'

/** The relay that mails go by: there, encrypted, trusted, logged in to; and a test mail, where one is asked for. */
export const checkRelay: Check = {
  name: 'mail relay',
  run: async (patient) => {
    const { config, sendTo } = patient
    if (config.SMTP_URL !== undefined) return await inspected(patient, config.SMTP_URL)
    const folder = path.resolve(mailFolder(config))
    return sendTo === undefined
      ? [warning(`There is none: mails become files in ${folder}.`, NO_RELAY)]
      : [failed('There is none, so no test mail was sent.', NO_RELAY)]
  },
}

const inspected = async ({ config, clock, sendTo }: Patient, url: string): Promise<readonly Finding[]> => {
  const { inspectRelay, RelayTrouble } = await import('@rollcall/mail/inspect-relay')
  const testMail = sendTo && { from: config.MAIL_FROM, to: sendTo, publicUrl: config.publicUrl }
  try {
    const inspection = await inspectRelay({ url, testMail: testMail || undefined })
    const sent = sendTo === undefined ? [] : [ok(`It took a test mail for ${sendTo}.`, 'See whether it arrives.')]
    return [...judged(inspection, clock.now()), ...sent]
  } catch (error) {
    const isForeseen =
      error instanceof OperatorError || error instanceof RelayTrouble || error instanceof MailRefusedForGood
    if (!isForeseen) throw error
    return [failed(sentence(error.message), 'Check ROLLCALL_SMTP_URL, and whether this machine reaches the relay.')]
  }
}

/** @param now milliseconds since 1970 */
export const judged = ({ host, port, protection, login }: RelayInspection, now: number): readonly Finding[] => {
  const at = `${host}:${port}`
  const findings: Finding[] = []
  if (protection === undefined && !isLoopback(host))
    findings.push(warning(`What goes to ${at} can be read on the way.`, 'Use smtps://, or a relay with STARTTLS.'))
  if (protection?.distrust !== undefined && !isLoopback(host))
    findings.push(
      warning(
        `The certificate of ${at} proves nothing (${protection.distrust}).`,
        'Mails are encrypted, but to whom is not known: mend the certificate, or set NODE_EXTRA_CA_CERTS.',
      ),
    )
  const left = protection?.expires === undefined ? Number.POSITIVE_INFINITY : protection.expires - now
  if (left < SOON) findings.push(warning(`The certificate of ${at} ${endOf(left)}.`, 'See that it is renewed.'))
  if (login === 'not-offered')
    findings.push(
      warning(`${at} asks for no name and password, though some are set.`, 'Leave them out, or check the port.'),
    )
  if (findings.length > 0) return findings
  const encrypted = protection === undefined ? '' : ', encrypted'
  return [ok(`${at} answers${encrypted}${login === 'taken' ? ', and takes the password' : ''}.`)]
}

const endOf = (left: number): string => (left < 0 ? 'has expired' : `expires in ${Math.floor(left / DAY)} days`)
