import { MailRefusedPermanently, MailUnanswered, WebhookGone, WebhookRefused } from '@rollcall/core'
import {
  accessTokenIssuerContract,
  accessTokensContract,
  auditAnchorContract,
  challengeAuthorityContract,
  clockContract,
  digestsContract,
  domainNamesContract,
  libraryUsers,
  MAPPED_NAMES,
  mailRefusalContract,
  mailTransportContract,
  randomnessContract,
  signingKeyRingContract,
  storageContract,
  userGuardsContract,
  webhookTransportContract,
} from '@rollcall/core/contract'
import {
  MemoryAccessTokens,
  MemoryAnchor,
  MemoryClock,
  MemoryMailTransport,
  MemoryRandomness,
  MemoryWebhookTransport,
  memoryChallenges,
  memoryDigests,
  memoryDomainNames,
  openMemoryStorage,
  solveMemoryChallenge,
} from '@rollcall/core/memory'
import { describe } from 'vitest'

const runtime = globalThis.Deno ? 'Deno' : globalThis.Bun ? 'Bun' : 'Node.js'

const openStorage = async () => {
  const { unitOfWork, readers, close } = openMemoryStorage({ now: () => Date.now() })
  return { unitOfWork, readers, dispose: close }
}

const openTransport = async () => {
  const transport = new MemoryMailTransport()
  const refusals = { 'for-good': new MailRefusedPermanently('no'), 'for-now': new Error('not now'), 'without-answer': new MailUnanswered('?') }
  return {
    transport,
    delivered: async () =>
      transport.mails.map((mail) => {
        const { messageId, to, returnTo = 'news@rollcall.example' } = mail
        return { messageId, to: [to], from: returnTo, content: JSON.stringify(mail) }
      }),
    refuse: (how) => {
      transport.otherSide = async () => {
        if (how !== undefined) throw refusals[how]
      }
    },
    dispose: () => transport.close(),
  }
}

const openWebhooks = async () => {
  const transport = new MemoryWebhookTransport()
  const arrived = []
  let how = 'take'
  transport.otherSide = async (message) => {
    arrived.push(message)
    if (how === 'gone') throw new WebhookGone('gone')
    if (how === 'refuse') throw new WebhookRefused('busy')
  }
  const answer = (next) => {
    how = next
  }
  const dispose = () => transport.close()
  return { transport, url: 'https://example.com/', answer, arrived: async () => arrived, dispose }
}

const openTokens = async () => {
  const clock = new MemoryClock()
  const tokens = new MemoryAccessTokens(clock)
  const advance = (milliseconds) => clock.advance(milliseconds)
  return { issuer: tokens, verifier: tokens, ring: tokens, now: () => clock.now(), advance, dispose: async () => {} }
}

const challenges = () => {
  const clock = new MemoryClock()
  const randomness = new MemoryRandomness()
  return {
    open: (secret) => memoryChallenges({ clock, randomness, digests: memoryDigests(secret) }),
    solve: async (challenge) => solveMemoryChallenge(challenge),
    advance: (milliseconds) => clock.advance(milliseconds),
  }
}

describe(`in memory, on ${runtime}`, () => {
  storageContract(openStorage)
  userGuardsContract(async (settings) => libraryUsers(await openStorage(), settings), { rounds: 100 })
  mailTransportContract(openTransport)
  mailRefusalContract(openTransport)
  webhookTransportContract(openWebhooks)
  accessTokensContract(openTokens)
  accessTokenIssuerContract(openTokens)
  signingKeyRingContract(openTokens)
  challengeAuthorityContract(challenges)
  auditAnchorContract(async () => {
    const anchor = new MemoryAnchor()
    return { anchor, again: () => anchor }
  })
  clockContract(() => new MemoryClock())
  randomnessContract(() => new MemoryRandomness())
  digestsContract(memoryDigests)
  domainNamesContract(() => memoryDomainNames(MAPPED_NAMES))
})
