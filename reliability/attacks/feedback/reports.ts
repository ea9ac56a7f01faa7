import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BounceAddresses } from '@rollcall/core/all'
import type { Home, Program } from '../../../proving/shared/service.ts'

const DAY = 86_400_000

export interface Report {
  readonly recipient: string
  readonly message: string
}

const BOUNDARY = 'boundary-of-the-report'
let reports = 0

const multipart = (type: string, ...parts: readonly (readonly [type: string, text: string])[]): string =>
  [
    'From: MAILER-DAEMON@example.net',
    'Subject: report',
    `Message-ID: <report-${++reports}@example.net>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="${BOUNDARY}"`,
    '',
    ...parts.flatMap(([kind, text]) => [`--${BOUNDARY}`, `Content-Type: ${kind}`, '', text, '']),
    `--${BOUNDARY}--`,
    '',
  ].join('\r\n')

/** That a mail to this address could not be delivered. */
export const bounceReport = (address: string): string =>
  multipart('delivery-status', [
    'message/delivery-status',
    `Reporting-MTA: dns; mx.example.net\r\n\r\nFinal-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: 5.1.1`,
  ])

/** That the reader of this address complained about a mail with this link to unsubscribe. */
const complaintReport = (address: string, token: string): string =>
  multipart(
    'feedback-report',
    ['message/feedback-report', `Feedback-Type: abuse\r\nVersion: 1\r\nOriginal-Rcpt-To: ${address}`],
    ['message/rfc822', `To: ${address}\r\nList-Unsubscribe: <https://rollcall.example/unsubscribe/${token}>\r\n\r\nx`],
  )

interface Parties {
  readonly victim: { readonly id: number; readonly email: string; readonly confirmToken: string }
  /** A subscription of the attacker. */
  readonly own: { readonly id: number; readonly unsubscribeToken: string }
  readonly addresses: BounceAddresses
  readonly base: string
}

/** By what is wrong with them. */
export const misdirectedReports = ({ victim, own, addresses, base }: Parties): Readonly<Record<string, Report>> => {
  const now = Date.now()
  const message = bounceReport(victim.email)
  const at = base.indexOf('@')
  const tagged = (tag: string): string => `${base.slice(0, at)}+${tag}${base.slice(at)}`
  const tagOf = (address: string): string[] => address.slice(base.indexOf('@') + 1, address.lastIndexOf('@')).split('.')
  const [victimId = '', day = '', mac = ''] = tagOf(addresses.of(victim.id, now))
  const ownMac = tagOf(addresses.of(own.id, now))[2]
  const madeUp = `${victim.id}.${'0'.repeat(32)}`
  const complaint = (token: string): Report => ({
    recipient: base,
    message: complaintReport(victim.email, token),
  })
  return {
    'to the address without a tag': { recipient: base, message },
    'to the address of another subscription': { recipient: addresses.of(own.id, now), message },
    'with the signature of another subscription': { recipient: tagged(`${victimId}.${day}.${ownMac}`), message },
    'with a made-up signature': { recipient: tagged(`${victimId}.${day}.${'0'.repeat(20)}`), message },
    'with no signature': { recipient: tagged(`${victimId}.${day}`), message },
    'of another day': { recipient: tagged(`${victimId}.${Number(day) - 1}.${mac}`), message },
    expired: { recipient: addresses.of(victim.id, now - 16 * DAY), message },
    'of the future': { recipient: addresses.of(victim.id, now + 3 * DAY), message },
    'to another domain': { recipient: addresses.of(victim.id, now).replace(/@.*/, '@example.org'), message },
    'to the address of the victim': { recipient: victim.email, message },
    'that complains with a made-up link': complaint(madeUp),
    'that complains with a link of another kind': complaint(victim.confirmToken),
    'that complains with a link of the attacker': complaint(own.unsubscribeToken),
  }
}

/** Hands a report in, as a mail server does. */
export const handIn = async (program: Program, home: Home, { recipient, message }: Report): Promise<string> => {
  const args = [...program.args, 'feedback', 'dsn', '--recipient', recipient]
  const env = { ...home.environment, ...program.env }
  const child = spawn(process.execPath, args, { env, cwd: home.folder, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  child.stdin.on('error', () => undefined)
  child.stdin.end(message)
  await once(child, 'close')
  return said
}
