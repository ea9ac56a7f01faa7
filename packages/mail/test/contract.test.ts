import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Delivered, mailRefusalContract, mailTransportContract } from '@rollcall/core/contract'
import { describe } from 'vitest'
import { createFileTransport, createSmtpTransport, createThreadedSmtpTransport } from '../src/index.ts'
import { SETTINGS } from './mails.ts'
import { headerOf, parseMessage } from './parse-message.ts'
import { openScriptedRelay } from './scripted-relay.ts'

const delivered = (source: Buffer, { from, to }: Pick<Delivered, 'from' | 'to'>): Delivered => {
  const messageId = /^<(.*)>$/.exec(headerOf(parseMessage(source), 'Message-ID') ?? '')?.[1] ?? ''
  return { messageId, from, to, content: source.toString('latin1').replace(/^Date:.*$/m, '') }
}

const REFUSALS = { 'for-good': '550 5.1.1 unknown', 'for-now': '450 4.2.1 busy' } as const

const openSmtp = async (create = createSmtpTransport) => {
  let refusal: keyof typeof REFUSALS | 'without-answer' | undefined
  const relay = await openScriptedRelay({
    RCPT: () => (refusal && refusal !== 'without-answer' ? REFUSALS[refusal] : '250 2.1.5 yes'),
    'end of data': () => (refusal === 'without-answer' ? 'hang up' : '250 2.0.0 taken'),
  })
  const transport = create({ ...SETTINGS, url: relay.url })
  return {
    transport,
    delivered: async () =>
      relay.taken.map(({ source, sender, recipients }) => delivered(source, { from: sender, to: recipients })),
    refuse: (how: typeof refusal) => {
      refusal = how
    },
    dispose: () => transport.close(),
  }
}

const openFiles = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-mail-'))
  const transport = createFileTransport({ ...SETTINGS, folder })
  const deliveredIn = async (name: string): Promise<Delivered> => {
    const source = await readFile(path.join(folder, name))
    const message = parseMessage(source)
    const sender = headerOf(message, 'Return-Path') ?? headerOf(message, 'From')
    return delivered(source, { from: /<(.*)>/.exec(sender ?? '')?.[1], to: [headerOf(message, 'To') ?? ''] })
  }
  return {
    transport,
    delivered: async () => Promise.all((await readdir(folder)).map(deliveredIn)),
    dispose: async () => {
      await transport.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

describe('over SMTP', () => {
  mailTransportContract(() => openSmtp())
  mailRefusalContract(() => openSmtp())
})

describe('over SMTP in a thread', () => {
  const open = () =>
    openSmtp((options) =>
      createThreadedSmtpTransport(options, (error) => {
        throw error
      }),
    )
  mailTransportContract(open)
  mailRefusalContract(open)
})

describe('as files', () => {
  mailTransportContract(openFiles)
})
