import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  accessTokenIssuerContract,
  accessTokensContract,
  auditAnchorContract,
  challengeAuthorityContract,
  clockContract,
  digestsContract,
  domainNamesContract,
  linkKeysContract,
  MAPPED_NAMES,
  mailRefusalContract,
  mailTransportContract,
  randomnessContract,
  signingKeyRingContract,
  webhookTransportContract,
} from '../contract/index.ts'
import {
  MailRefusedPermanently,
  MailUnanswered,
  WebhookGone,
  type WebhookMessage,
  WebhookRefused,
} from '../src/index.ts'
import { MemoryAccessTokens } from './memory-access-tokens.ts'
import { memoryChallenges, solveMemoryChallenge } from './memory-challenges.ts'
import { memoryDigests } from './memory-digests.ts'
import { MemoryAnchor, MemoryClock, MemoryRandomness, memoryDomainNames } from './memory-environment.ts'
import { MemoryLinkKeys } from './memory-link-keys.ts'
import { MemoryMailTransport, MemoryWebhookTransport } from './memory-transports.ts'

const openTransport = async () => {
  const transport = new MemoryMailTransport()
  const refusals = {
    'for-good': new MailRefusedPermanently('no'),
    'for-now': new Error('not now'),
    'without-answer': new MailUnanswered('no answer'),
  }
  return {
    transport,
    delivered: async () =>
      transport.mails.map((mail) => {
        const { messageId, to, returnTo = 'news@rollcall.example' } = mail
        return { messageId, to: [to], from: returnTo, content: JSON.stringify(mail) }
      }),
    refuse: (how: keyof typeof refusals | undefined) => {
      transport.otherSide = async () => {
        if (how !== undefined) throw refusals[how]
      }
    },
    dispose: () => transport.close(),
  }
}

const openWebhooks = async () => {
  const transport = new MemoryWebhookTransport()
  const arrived: WebhookMessage[] = []
  let how: 'take' | 'refuse' | 'gone' = 'take'
  transport.otherSide = async (message) => {
    arrived.push(message)
    if (how === 'gone') throw new WebhookGone('gone')
    if (how === 'refuse') throw new WebhookRefused('busy')
  }
  return {
    transport,
    url: 'https://example.com/',
    answer: (next: typeof how) => {
      how = next
    },
    arrived: async () => arrived,
    dispose: () => transport.close(),
  }
}

describe('in memory', () => {
  clockContract(() => new MemoryClock())
  randomnessContract(() => new MemoryRandomness())
  digestsContract(memoryDigests)
  auditAnchorContract(async () => {
    const anchor = new MemoryAnchor()
    return { anchor, again: () => anchor }
  })
  challengeAuthorityContract(() => {
    const clock = new MemoryClock()
    const randomness = new MemoryRandomness()
    return {
      open: (secret) => memoryChallenges({ clock, randomness, digests: memoryDigests(secret) }),
      solve: async (challenge) => solveMemoryChallenge(challenge),
      advance: (milliseconds) => clock.advance(milliseconds),
    }
  })
  domainNamesContract(() => memoryDomainNames(MAPPED_NAMES))
  mailTransportContract(openTransport)
  mailRefusalContract(openTransport)
  webhookTransportContract(openWebhooks)
  const openTokens = async () => {
    const clock = new MemoryClock()
    const tokens = new MemoryAccessTokens(clock)
    const advance = (milliseconds: number) => clock.advance(milliseconds)
    return { issuer: tokens, verifier: tokens, ring: tokens, now: () => clock.now(), advance, dispose: async () => {} }
  }
  accessTokensContract(openTokens)
  accessTokenIssuerContract(openTokens)
  signingKeyRingContract(openTokens)
  linkKeysContract(async () => {
    const keys = new MemoryLinkKeys()
    return { keys, again: async () => keys, dispose: async () => {} }
  })

  it('digests are what node:crypto makes of the same', () => {
    const { hmac, sha256 } = memoryDigests('secret')
    const key = createHmac('sha256', 'secret').update('address').digest()
    for (const text of ['', 'abc', 'ü€😀', ...[55, 63, 64, 65, 119, 1_000].map((length) => 'x'.repeat(length))]) {
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
      expect(hmac('address', text)).toBe(createHmac('sha256', key).update(text).digest('hex'))
    }
  })
})
