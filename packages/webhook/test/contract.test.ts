import { webhookTransportContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { createWebhookTransport } from '../src/index.ts'
import { CLOCK, LOOPBACK } from './cast.ts'
import { openReceiver, status } from './receiver.ts'

const STATUS = { take: 202, refuse: 503, gone: 410 }

describe('over HTTP', () => {
  webhookTransportContract(async () => {
    const receiver = await openReceiver()
    const transport = createWebhookTransport({ clock: CLOCK, allow: LOOPBACK })
    return {
      transport,
      url: receiver.url,
      answer: (how) => receiver.answerAll(status(STATUS[how])),
      arrived: async () =>
        receiver.received.map(({ headers, body }) => ({ id: headers['webhook-id'] ?? '', body, headers })),
      dispose: async () => {
        await transport.close()
        await receiver.close()
      },
    }
  })
})
