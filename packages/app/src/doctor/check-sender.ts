import type { Check } from './check.ts'
import { failed, ok, warning } from './finding.ts'

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
