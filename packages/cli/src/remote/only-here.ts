import type { CliUseCases } from '../cli-host.ts'
import { onlyHereError } from '../only-here-error.ts'

const refused = (what: string) => ({
  execute: async (): Promise<never> => {
    throw onlyHereError(what)
  },
})

type OnlyHere = Pick<
  CliUseCases,
  'issueToken' | 'listOutbox' | 'listUndeliveredEvents' | 'retryEvent' | 'retryOutbox' | 'rotateKeys' | 'verifyAudit'
>

/** Use cases without an endpoint. */
export const ONLY_HERE: OnlyHere = {
  issueToken: refused('Issuing a token'),
  listOutbox: refused('Listing the outbox'),
  listUndeliveredEvents: refused('Listing the outbox'),
  retryEvent: refused('Retrying events'),
  retryOutbox: refused('Retrying mails'),
  rotateKeys: refused('Rotating keys'),
  verifyAudit: refused('Verifying the audit trail'),
}
