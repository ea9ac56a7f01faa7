import { isLoopback } from '@rollcall/platform-node'
import type { Check } from './check.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Whether clients can be told apart, and are held to a limit. */
export const checkClients: Check = {
  name: 'clients',
  run: async ({ config: { HOST, RATE_LIMIT, TRUST_PROXY, publicUrl } }) => {
    const { protocol, hostname } = new URL(publicUrl)
    const findings: Finding[] = []
    if (RATE_LIMIT === 'off')
      findings.push(
        warning(
          'They may send forms as often as they like.',
          'Leave out ROLLCALL_RATE_LIMIT, unless a proxy limits them.',
        ),
      )
    // This service speaks no TLS, and what listens for this machine alone is not what the world reaches.
    const isBehindProxy = !isLoopback(hostname) && (protocol === 'https:' || isLoopback(HOST))
    if (isBehindProxy && TRUST_PROXY === 0)
      findings.push(
        warning(
          'A proxy stands in front, and its address is taken for that of every client.',
          'Set ROLLCALL_TRUST_PROXY to the number of proxies, such as 1: else all clients share one limit, and the ledger of consent has the wrong address.',
        ),
      )
    return findings.length > 0 ? findings : [ok('They are told apart, and held to a limit.')]
  },
}
