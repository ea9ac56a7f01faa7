import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DEFAULT_FEED, type Mail, type MailKind, plainFeed } from '@rollcall/core'
import { createFileTransport } from '@rollcall/mail'
import axe, { type Result } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openBrowser } from './browser.ts'

const KINDS: readonly MailKind[] = [
  'confirmation',
  'reminder',
  'already-subscribed',
  'welcome',
  'preferences',
  'move',
  'moved',
]
const TOKEN = '8127340912345678.0123456789abcdef.1794000000.0123456789abcdef0123456789abcdef'
const SMALLEST_TARGET = 44

const feed = {
  ...plainFeed(DEFAULT_FEED, 0),
  title: 'Donaudampfschifffahrtsgesellschaftskapitänswitwenvereinsnachrichten',
  wordings: [{ version: 1, text: 'I want the news by mail.\nNobody else gets my address.', since: 0 }],
  // Of a colour that is not legible on white by itself.
  face: { accent: '#ffcc00', footer: { en: 'Example Ltd\nhttps://example.com/imprint' } },
}

const mailOf = (kind: MailKind, locale: string): Mail => {
  const link = (purpose: string): string => `https://news.example.com/${purpose}/${TOKEN}`
  const links = {
    confirm: link('confirm'),
    refuse: link('refuse'),
    preferences: link('preferences'),
    move: link('move'),
    undo: link('undo'),
    unsubscribe: link('unsubscribe'),
  }
  return { kind, messageId: `${kind}.${locale}@news.example.com`, to: 'ada@example.com', feed, locale, links }
}

/** The HTML part of a message, as a mail reader gets it. */
const htmlIn = (message: string): string => {
  const part = message.slice(message.indexOf('Content-Type: text/html')).replace(/^.*?\r\n\r\n|\r\n--=_.*$/gs, '')
  const bytes = part
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const LANGUAGES = ['en', 'de', 'fr', 'es']
let browser: Browser
const mails = new Map<string, string>()

beforeAll(async () => {
  browser = await openBrowser()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-mail-'))
  try {
    const settings = { from: 'Rollcall <no-reply@example.com>', publicUrl: 'https://news.example.com' }
    const transport = createFileTransport({ folder, ...settings })
    for (const name of KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const))) {
      await transport.send(mailOf(...name))
      mails.set(name.join('.'), htmlIn(await readFile(path.join(folder, `${name.join('.')}.eml`), 'latin1')))
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
afterAll(() => browser.close())

const show = async (name: string, colorScheme: 'light' | 'dark', width: number) => {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
  onTestFinished(() => page.close())
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.setContent(mails.get(name) ?? '')
  return { page, requests }
}

describe.each(KINDS)('the mail %s, in a real browser,', (kind) => {
  it.each(LANGUAGES)(
    'in %s, fits small and large screens, has a button for a thumb, and loads nothing',
    async (language) => {
      for (const width of [320, 700]) {
        const { page, requests } = await show(`${kind}.${language}`, 'light', width)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        expect(requests).toEqual([])
        // It asks for nothing.
        if (kind === 'welcome') continue
        const button = await page.locator('.button a').boundingBox()
        expect(button?.height).toBeGreaterThanOrEqual(SMALLEST_TARGET)
        expect(button?.width).toBeGreaterThanOrEqual(SMALLEST_TARGET)
      }
    },
  )

  it.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(32, 37, 44)'],
  ] as const)('is %s where its reader wants it so, and axe finds nothing', async (scheme, background) => {
    const { page } = await show(`${kind}.en`, scheme, 320)
    expect(await page.evaluate('getComputedStyle(document.querySelector(".card")).backgroundColor')).toBe(background)
    expect(await violationsOn(page)).toEqual([])
  })

  it('says in its preview what it is for', async () => {
    const { page } = await show(`${kind}.en`, 'light', 700)
    expect(await page.locator('h1').count()).toBe(1)
    const preview = page.locator('.text > div').first()
    expect(await preview.isVisible()).toBe(false)
    expect((await preview.textContent())?.length).toBeGreaterThan(10)
  })
})

const violationsOn = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const { violations } = await page.evaluate<{ violations: Result[] }>(`axe.run({ runOnly: ${JSON.stringify(tags)} })`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
