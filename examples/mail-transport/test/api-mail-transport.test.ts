import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import {
  type Delivered,
  mailRefusalContract,
  mailTransportContract,
  type RefusingTransportUnderTest,
} from '@rollcall/core/contract'
import { describe } from 'vitest'
import { ApiMailTransport } from '../src/api-mail-transport.ts'

/** A provider on this machine, and a transport to it. */
const open = async (): Promise<RefusingTransportUnderTest> => {
  const delivered: Delivered[] = []
  let refusal: number | undefined
  let silent = false
  const provider = createServer(async (request, response) => {
    const mail = (await json(request)) as {
      readonly from: string
      readonly return_path?: string
      readonly to: string
      readonly message_id: string
      readonly text: string
    }
    const { message_id: messageId, to, text: content } = mail
    if (refusal === undefined) delivered.push({ messageId, to: [to], from: mail.return_path ?? mail.from, content })
    if (silent) response.destroy()
    else response.writeHead(refusal ?? 200).end()
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/mails`
  return {
    transport: new ApiMailTransport({ url, token: 'secret', from: 'news@example.com' }),
    delivered: async () => delivered,
    refuse: (how) => {
      silent = how === 'without-answer'
      refusal = how && { 'for-good': 422, 'for-now': 503, 'without-answer': undefined }[how]
    },
    dispose: async () => {
      provider.closeAllConnections()
      provider.close()
    },
  }
}

describe('mail by the API of a provider', () => {
  mailTransportContract(open)
  mailRefusalContract(open)
})
