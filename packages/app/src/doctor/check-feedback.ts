import { resolveMx } from 'node:dns/promises'
import type { Config } from '../config.ts'
import { type Check, type Finding, ok, warning } from './check.ts'

/** What a name server says of mails to a domain. */
type MailServers = 'some' | 'none' | 'unknown'

/** Whether bounces and complaints reach the service, where it is set up to take any. */
export const checkFeedback: Check = {
  name: 'bounces',
  run: async ({ config }) => {
    const domain = config.BOUNCE_ADDRESS?.split('@')[1]
    return judgedFeedback(config, domain === undefined ? 'unknown' : await mailServersOf(domain))
  },
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
