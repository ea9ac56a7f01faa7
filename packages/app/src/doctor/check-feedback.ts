import { resolveMx } from 'node:dns/promises'
import type { MailboxStep } from '@rollcall/mail'
import type { Config } from '../config.ts'
import { type Check, type Finding, failed, ok, sentence, warning } from './check.ts'

/** What a name server says of mails to a domain. */
type MailServers = 'some' | 'none' | 'unknown'

/** Whether bounces and complaints reach the service, if it is set up to take any. */
export const checkFeedback: Check = {
  name: 'bounces',
  run: async ({ config }) => {
    const { BOUNCE_ADDRESS, FEEDBACK_IMAP_URL: url } = config
    const domain = BOUNCE_ADDRESS?.split('@')[1]
    const findings = judgedFeedback(config, domain === undefined ? 'unknown' : await mailServersOf(domain))
    return url === undefined ? findings : [...findings, await mailboxFinding(url)]
  },
}

const mailboxFinding = async (url: string): Promise<Finding> => {
  const { inspectImapMailbox, MailboxTrouble } = await import('@rollcall/mail')
  try {
    const { host, folder, messages } = await inspectImapMailbox({ url })
    return ok(`The folder ${folder} at ${host} can be read. Messages in it: ${messages}.`)
  } catch (error) {
    if (!(error instanceof MailboxTrouble)) throw error
    return failed(sentence(error.message), `${REMEDIES[error.step]} in ROLLCALL_FEEDBACK_IMAP_URL.`)
  }
}

const REMEDIES: Readonly<Record<MailboxStep, string>> = {
  connection: 'See whether this machine reaches the server, and check the host and the port',
  encryption:
    'The server must speak TLS from the start, mostly on port 993, with a certificate that is trusted (see NODE_EXTRA_CA_CERTS): check the host and the port',
  login:
    'Some providers want a password for programs, or IMAP switched on. Check the name and the password, with @ written as %40,',
  folder: 'Check the folder, which is behind the last slash,',
}

const mailServersOf = async (domain: string): Promise<MailServers> => {
  try {
    return (await resolveMx(domain)).length > 0 ? 'some' : 'none'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ENODATA' || code === 'ENOTFOUND' ? 'none' : 'unknown'
  }
}

type Settings =
  | 'BOUNCE_ADDRESS'
  | 'FEEDBACK_POSTMARK_SECRET'
  | 'FEEDBACK_SENDGRID_KEY'
  | 'FEEDBACK_SES_TOPICS'
  | 'SMTP_URL'
  | 'publicUrl'

export const judgedFeedback = (config: Pick<Config, Settings>, mailServers: MailServers): readonly Finding[] => {
  const { BOUNCE_ADDRESS, SMTP_URL, publicUrl } = config
  const findings: Finding[] = []
  for (const [provider, name, isSet] of [
    ['Amazon SNS', 'ses', config.FEEDBACK_SES_TOPICS.length > 0],
    ['Postmark', 'postmark', config.FEEDBACK_POSTMARK_SECRET !== undefined],
    ['SendGrid', 'sendgrid', config.FEEDBACK_SENDGRID_KEY !== undefined],
  ] as const) {
    const endpoint = `${publicUrl}/feedback/${name}`
    if (!isSet) continue
    findings.push(
      publicUrl.startsWith('https://')
        ? ok(`${provider} is to send its messages to ${endpoint}.`)
        : warning(
            `${provider} would send its messages to ${endpoint} unencrypted.`,
            'Set ROLLCALL_PUBLIC_URL to an https address.',
          ),
    )
  }
  if (BOUNCE_ADDRESS === undefined) return findings
  if (SMTP_URL === undefined)
    findings.push(warning('Mails come back to a bounce address, but they become files.', 'Set ROLLCALL_SMTP_URL, too.'))
  if (mailServers === 'none')
    findings.push(
      warning(
        `No mail server is named for the domain of ${BOUNCE_ADDRESS}, so that no bounce arrives.`,
        'Add an MX record for it, or correct ROLLCALL_BOUNCE_ADDRESS.',
      ),
    )
  if (mailServers === 'unknown')
    findings.push(
      warning(
        `It could not be looked up which mail server takes mails to ${BOUNCE_ADDRESS}.`,
        'Check the name servers of this machine.',
      ),
    )
  if (mailServers === 'some') findings.push(ok(`Mails come back to ${BOUNCE_ADDRESS}.`))
  return findings
}
