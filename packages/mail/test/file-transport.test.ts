import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Mail } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { createFileTransport } from '../src/index.ts'
import { confirmation, feed, LINKS, SETTINGS, temporaryFolder } from './mails.ts'
import { decodeWords, headerOf, parseMessage } from './parse-message.ts'

const onWindows = process.platform === 'win32'

const open = async (onWritten?: (file: string) => void) => {
  const folder = path.join(await temporaryFolder(), 'data', 'mail')
  return { folder, transport: createFileTransport({ ...SETTINGS, folder, onWritten }) }
}

const idOf = (subscriptionId: number, episode = 0): string =>
  `${subscriptionId.toString(36)}.${episode.toString(16).padStart(24, '0')}`

const mailOf = (subscriptionId: number, episode = 0): Mail =>
  confirmation({ messageId: `${idOf(subscriptionId, episode)}@news.example.com` })

const fileOf = ({ messageId }: Mail): string => `${messageId.replace('@news.example.com', '')}.eml`

describe('a mail kept as a file', () => {
  it('is the whole message, named by the left side of its id, and reported when it is there', async () => {
    const written: string[] = []
    const { folder, transport } = await open((file) => written.push(file))
    const mail = confirmation({ feed: feed({ title: 'Wöchentliches' }), locale: 'de' })
    await transport.send(mail)
    expect(await readdir(folder)).toEqual(['287vl3s6jj2.0123456789abcdef01234567.eml'])
    expect(written).toEqual([path.join(folder, fileOf(mail))])
    const message = parseMessage(await readFile(written[0]!))
    expect(headerOf(message, 'To')).toBe('brian.smith@example.com')
    expect(headerOf(message, 'Message-ID')).toBe(`<${mail.messageId}>`)
    expect(decodeWords(headerOf(message, 'Subject')!)).toBe('Bitte bestätigen: Wöchentliches')
    expect(headerOf(message, 'List-Unsubscribe')).toBe(`<${LINKS.unsubscribe}>`)
    expect(headerOf(message, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    expect(headerOf(message, 'List-Id')).toMatch(/^=\?UTF-8\?B\?.* <default\.news\.example\.com>$/)
    expect(message.parts.every(({ body }) => body.includes(LINKS.confirm) && body.includes(LINKS.refuse))).toBe(true)
  })

  it.each(['=?utf-8?q?evil?= x', 'Grüße =?utf-8?q?evil?=', '=?UTF-8?B?ZXZpbA==?=', 'x =? y', '"=?utf-8?q?evil?="'])(
    'shows the title %j as it was typed, however much of it looks encoded',
    async (title) => {
      const { folder, transport } = await open()
      const mail = confirmation({ feed: feed({ title }) })
      await transport.send(mail)
      const message = parseMessage(await readFile(path.join(folder, fileOf(mail))))
      const [subject, listId] = [headerOf(message, 'Subject')!, headerOf(message, 'List-Id')!]
      expect(decodeWords(subject)).toBe(`Please confirm: ${title}`)
      expect(decodeWords(listId)).toBe(`${title} <default.news.example.com>`)
      expect(`${subject}${listId}`).not.toContain('evil')
    },
  )

  it.skipIf(onWindows)('is for its owner alone, and so is its folder', async () => {
    const { folder, transport } = await open()
    await transport.send(mailOf(1))
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(path.join(folder, `${idOf(1)}.eml`))).mode & 0o777).toBe(0o600)
  })

  it('is one of many that come at once, all of them whole', async () => {
    const { folder, transport } = await open()
    await Promise.all(Array.from({ length: 200 }, (_, i) => transport.send(mailOf(1 + (i % 100)))))
    const names = await readdir(folder)
    expect(names).toHaveLength(100)
    for (const name of names) {
      const message = parseMessage(await readFile(path.join(folder, name)))
      expect(headerOf(message, 'Message-ID')).toBe(`<${name.replace('.eml', '')}@news.example.com>`)
    }
  })

  it('is written also where its folder was removed meanwhile', async () => {
    const { folder, transport } = await open()
    await transport.send(mailOf(1))
    await rm(folder, { recursive: true })
    await transport.send(mailOf(2))
    expect(await readdir(folder)).toEqual([`${idOf(2)}.eml`])
  })

  it('leaves nothing behind when it cannot be written', async () => {
    const { folder, transport } = await open()
    await mkdir(path.join(folder, `${idOf(1)}.eml`, 'x'), { recursive: true })
    await expect(transport.send(mailOf(1))).rejects.toThrow()
    expect(await readdir(folder)).toEqual([`${idOf(1)}.eml`])
  })

  it.each(['../up', 'a/b', 'a\\b', '.hidden', '', '..', 'a\0b', 'a b', 'ä', 'x'.repeat(300), '/etc/passwd', 'C:x'])(
    'is refused under the id %j, for sending and forgetting',
    async (messageId) => {
      const { folder, transport } = await open()
      await mkdir(folder, { recursive: true })
      await expect(transport.send(confirmation({ messageId }))).rejects.toThrow(TypeError)
      await expect(transport.forget([messageId])).rejects.toThrow(TypeError)
      expect(await readdir(folder)).toEqual([])
    },
  )
})

describe('forgetting', () => {
  it('removes a mail that is being written meanwhile', async () => {
    const { folder, transport } = await open()
    for (const _ of Array.from({ length: 20 })) {
      const writing = transport.send(mailOf(1))
      await transport.forget([idOf(1)])
      expect(await readdir(folder)).toEqual([])
      await writing
    }
  })

  it('does not mind a folder that was never made', async () => {
    const { transport } = await open()
    expect(transport.keepsMails).toBe(true)
    await transport.forget([idOf(1)])
  })

  it('removes nothing when one of the ids is no plain name', async () => {
    const { folder, transport } = await open()
    await transport.send(mailOf(1))
    await expect(transport.forget([idOf(1), '../x'])).rejects.toThrow(TypeError)
    expect(await readdir(folder)).toHaveLength(1)
  })
})

describe('sweeping', () => {
  it('removes the mails of unknown subscriptions and unfinished drafts, and leaves everything else', async () => {
    const { folder, transport } = await open()
    const largest = Number.MAX_SAFE_INTEGER
    for (const id of [1, 2, 35, largest]) await transport.send(mailOf(id))
    await transport.send(mailOf(2, 7))
    const strangers = [
      ...['notes.txt', 'mail.eml', 'A.0.eml', '0.0.eml', '01.0.eml', 'zzzzzzzzzzz.0.eml', '1.eml', '1.a.b.eml'],
      '.keep',
    ]
    for (const name of strangers) await writeFile(path.join(folder, name), 'x')
    await writeFile(path.join(folder, '.0123456789ab-7.tmp'), 'half')
    await mkdir(path.join(folder, '2.folder.eml'))
    const asked: number[] = []
    const swept = await transport.sweep(async (id) => {
      asked.push(id)
      return id === 1 || id === largest
    })
    expect(swept).toBe(4)
    expect(asked.sort((a, b) => a - b)).toEqual([1, 2, 2, 35, largest])
    expect((await readdir(folder)).sort()).toEqual(
      [...strangers, '2.folder.eml', `${idOf(1)}.eml`, `${idOf(largest)}.eml`].sort(),
    )
  })

  it('has nothing to do where no mail was ever written', async () => {
    const { transport } = await open()
    expect(await transport.sweep(async () => false)).toBe(0)
  })

  it('leaves alone what is being written at the same time', async () => {
    const { folder, transport } = await open()
    await transport.send(mailOf(1))
    const sending = Promise.all(Array.from({ length: 100 }, (_, i) => transport.send(mailOf(1, i))))
    await transport.sweep(async () => true)
    await transport.sweep(async () => true)
    await sending
    expect(await readdir(folder)).toHaveLength(100)
  })

  it('goes on where it failed, when it is started again', async () => {
    const { folder, transport } = await open()
    for (let id = 1; id <= 5; id++) await transport.send(mailOf(id))
    let asked = 0
    const failing = transport.sweep(async () => {
      if (++asked === 3) throw new Error('the store is down')
      return false
    })
    await expect(failing).rejects.toThrow('the store is down')
    await transport.sweep(async () => false)
    expect(await readdir(folder)).toEqual([])
  })
})

describe('whose mails they are', () => {
  it('is written beside them, readable only by its owner, and stays through every sweep', async () => {
    const { folder, transport } = await open()
    expect(await transport.owner()).toBeUndefined()
    await transport.claim('one')
    await transport.claim('another')
    expect(await transport.owner()).toBe('another')
    await transport.send(mailOf(1))
    expect(await transport.sweep(async () => false)).toBe(1)
    expect(await transport.owner()).toBe('another')
    const [name, ...others] = await readdir(folder)
    expect(others).toEqual([])
    expect((await stat(path.join(folder, `${name}`))).mode & 0o777).toBe(0o600)
  })

  it('shows by the subscriptions that are known; what is no mail shows nothing', async () => {
    const { folder, transport } = await open()
    expect(await transport.ownership(async () => true)).toBe('empty')
    await transport.claim('one')
    await writeFile(path.join(folder, 'notes.txt'), 'x')
    expect(await transport.ownership(async () => true)).toBe('empty')
    for (const id of [1, 2, 3]) await transport.send(mailOf(id))
    expect(await transport.ownership(async () => false)).toBe('unknown')
    expect(await transport.ownership(async (id) => id === 3)).toBe('known')
  })
})
