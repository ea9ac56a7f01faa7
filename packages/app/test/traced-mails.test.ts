import * as api from '@opentelemetry/api'
import { AlwaysOnSampler } from '@opentelemetry/sdk-trace-node'
import { type Mail, MailWithdrawn, type Ports } from '@rollcall/core'
import { MemoryMailTransport } from '@rollcall/core/memory'
import { expect, it } from 'vitest'
import { tracingBy } from '../src/tracing/spans.ts'
import { Traces } from './traces.ts'

const MAIL = { kind: 'confirmation', messageId: 'm1', to: 'ada@example.com' } as Mail

it.each([
  ['with a span', Number.POSITIVE_INFINITY],
  ['without one', 0],
])('a mail is asked about before it begins, %s', async (_, rate) => {
  using _traces = new Traces(new AlwaysOnSampler())
  const transport = new MemoryMailTransport()
  const ports = { transport, unitOfWork: {}, webhookTransport: {} } as unknown as Ports
  const traced = tracingBy(api, rate).ports(ports, 'sqlite').transport
  await expect(traced.send(MAIL, async () => false)).rejects.toThrow(MailWithdrawn)
  await traced.send(MAIL, async () => true)
  expect(transport.mails).toHaveLength(1)
})
