import { AccessControl } from './access/access-control.ts'
import { TablePolicy } from './access/authorization-policy.ts'
import { Uses } from './access-tokens/uses.ts'
import { AuditTrail } from './audit/audit-trail.ts'
import { ReadLog } from './audit/read-log.ts'
import { RefusalLog } from './audit/refusal-log.ts'
import { Sealer, sealedFirst } from './audit/sealer.ts'
import type { Dependencies, Ports, Settings } from './dependencies.ts'
import { BounceAddresses } from './feedback/bounce-address.ts'
import { LinkTokens, SignedLinks } from './links/link-token.ts'
import { BlockedDomains } from './sign-up/blocked-domains.ts'
import { carryOut } from './sign-up/carry-out-requests.ts'
import { CarryOutRequestsUseCase } from './sign-up/carry-out-requests-use-case.ts'
import { ChallengeGate } from './sign-up/challenge-gate.ts'
import { FormStamps } from './sign-up/form-stamps.ts'
import { NO_METRICS } from './sign-up/funnel-metrics.ts'
import { RequestDesk } from './sign-up/request-desk.ts'
import { unitInbox } from './sign-up/unit-inbox.ts'
import { SubscriptionErasure } from './subscriptions/subscription-erasure.ts'
import { WebhookSecrets } from './webhooks/webhook-secrets.ts'

/** Ports and settings, with what the use cases share. Made once for all of them: refusals and reads are counted in it. */
export const createDependencies = (
  ports: Ports,
  { publicUrl, linkLife, deleteGrace = 0, blockedDomains, permissions, bounceAddress }: Settings,
): Dependencies => {
  const { unitOfWork, clock, jumpGuardedClock = clock, digests, metrics = NO_METRICS } = ports
  const trail = new AuditTrail(clock, digests)
  const refusals = new RefusalLog(clock, unitOfWork)
  const table = ports.policy instanceof TablePolicy ? ports.policy : new TablePolicy(permissions)
  const sealer = new Sealer(ports)
  const tokens = new LinkTokens(ports)
  const process = new CarryOutRequestsUseCase({ ...ports, linkLife, metrics })
  const inbox = ports.inbox ?? unitInbox(unitOfWork, ports.readers)
  const requests = new RequestDesk({
    ...ports,
    inbox,
    process,
    worker: ports.requestWorker,
    carryOut: (stores, taken) => carryOut(stores, { ...ports, linkLife }, taken),
  })
  return {
    ...ports,
    readers: sealedFirst(ports.readers, sealer),
    sealer,
    access: new AccessControl(table, refusals, ports.policy),
    trail,
    refusals,
    reads: new ReadLog(clock, unitOfWork),
    tokens,
    uses: new Uses(clock, unitOfWork),
    signedLinks: new SignedLinks(tokens, clock),
    erasure: new SubscriptionErasure(clock, digests, requests),
    challengeAuthority: ports.challenge,
    requests,
    challenge: new ChallengeGate(ports.challenge, metrics),
    stamps: new FormStamps({ clock, digests, metrics }),
    metrics,
    jumpGuardedClock,
    webhookSecrets: new WebhookSecrets(ports),
    bounceAddresses: bounceAddress === undefined ? undefined : new BounceAddresses(ports, bounceAddress),
    blockedDomains: new BlockedDomains(blockedDomains),
    publicUrl,
    linkLife,
    deleteGrace,
  }
}
