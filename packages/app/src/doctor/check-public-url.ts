import { isLoopback } from '@rollcall/platform-node'
import type { Check } from './check.ts'
import { ok, warning } from './finding.ts'

const DKIM =
  'Mail programs offer to unsubscribe with one click only where the relay signs with DKIM: a mail that came in says dkim=pass.'

/** What links in mails begin with: one-click unsubscription works over https alone (RFC 8058 section 3.1). */
export const checkPublicUrl: Check = {
  name: 'public address',
  run: async ({ config: { publicUrl } }) => {
    const { protocol, hostname } = new URL(publicUrl)
    if (protocol === 'https:') return [ok(`${publicUrl} is good for one-click unsubscription.`, DKIM)]
    const remedy = 'Set ROLLCALL_PUBLIC_URL to what the world calls this service, beginning with https.'
    return [
      isLoopback(hostname)
        ? warning(`Links in mails lead to ${publicUrl}, which is another place for everybody else.`, remedy)
        : warning(`${publicUrl} is not https: no mail program offers to unsubscribe with one click.`, remedy),
    ]
  },
}
