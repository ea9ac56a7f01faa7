import { text } from 'node:stream/consumers'
import { operator } from '@rollcall/core/all'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FilledConsole, filledConsole } from '../support/filled-console.ts'
import { htmlProblems } from '../support/html-problems.ts'
import { Keyboard } from '../support/keyboard.ts'
import { lookAt, shapeOf } from '../support/look-at.ts'
import { openBrowser } from '../support/open-browser.ts'
import { publicStyle } from '../support/public-style.ts'
import { visit } from '../support/visit.ts'

const OPS = operator('ops')
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'with scripts, narrow and light': {
    ...{ javaScriptEnabled: true, colorScheme: 'light', reducedMotion: 'reduce' },
    viewport: { width: 320, height: 900 },
  },
  'without scripts, wide and dark': {
    javaScriptEnabled: false,
    colorScheme: 'dark',
    viewport: { width: 1280, height: 900 },
  },
}

let at: FilledConsole
let browser: Browser
let origin: string
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
})
beforeEach(async () => {
  at = await filledConsole({ style: { base: publicStyle(), theme: '' } })
  origin = `http://localhost:${at.port}`
})
afterEach(async () => {
  expect(at.problems).toEqual([])
  await at.close()
})

const arrive = async (options: BrowserContextOptions = {}) => {
  const visitor = await visit(browser, [origin], options)
  await visitor.page.goto(`${origin}/login/${await at.link()}`)
  await visitor.page.click('main button')
  await visitor.page.waitForURL(`${origin}/`)
  return visitor
}
const heading = (page: Page) => page.textContent('h1')
const putUsers = async (count: number) => {
  const ids = Array.from({ length: count }, (_, n) => `u${n}`)
  for (const userId of ids)
    await at.useCases.putUser.execute({ userId, email: `${userId}@example.com`, name: '', roles: [] }, OPS)
  return ids
}
const remaining = async (ids: readonly string[]) => {
  const left = ids.map((userId) =>
    at.useCases.getUser.execute({ userId }, OPS).then(
      () => 1,
      () => 0,
    ),
  )
  return (await Promise.all(left)).reduce((sum, one) => sum + one, 0)
}

interface Traveller {
  readonly keys: Keyboard
  readonly page: Page
  /** What the page says of what was done. */
  readonly said: (words: string) => Promise<void>
  /** By the script where it runs, and else by the button, until there is such an element. */
  readonly goOn: (until: string) => Promise<void>
}

/** Each begins where the one before has ended, and goes to its place by the navigation. */
const JOURNEYS: Readonly<Record<string, (traveller: Traveller) => Promise<void>>> = {
  'find a person, and confirm, end and erase a subscription': async ({ keys, said, page }) => {
    await keys.go('Find')
    // The box has the focus.
    await page.keyboard.insertText('ada@example.com')
    await keys.submit()
    expect(page.url()).not.toContain('example.com')
    for (const [deed, done] of [
      ['Confirm', 'The subscription is confirmed.'],
      ['End', 'The subscription has ended.'],
    ] as const) {
      await keys.press(deed)
      await keys.type('Reason', 'by letter')
      await keys.press(deed)
      await said(done)
    }
    await keys.press('Erase')
    await keys.press('Erase')
    await said('The subscription is erased.')
  },
  'look up an address, and let mails go to it': async ({ keys, said, page }) => {
    await keys.go('Suppressions')
    await keys.press('Undeliverable addresses')
    await keys.press('e'.repeat(32))
    await keys.press('Let mails go to it again')
    await said('Mails may go to this address again.')
    await keys.go('Suppressions')
    await keys.press('Check addresses')
    await keys.type('E-mail addresses', 'bob@example.com')
    await keys.press('Check')
    expect(await heading(page)).toBe('Check addresses')
    await keys.go('Suppressions')
    await keys.press(/: Lift the suppression$/)
    await keys.press('Lift the suppression')
    await said('The suppression is lifted.')
  },
  'try a parked mail, and decide on feedback': async ({ keys, said }) => {
    await keys.go('Health')
    await keys.press(/^Try now: \d+$/)
    await said('It is tried again now.')
    await keys.go('Health')
    await keys.press('Feedback that waits')
    await keys.press('Drop what is shown')
    await said('It is decided.')
  },
  'make, change, suspend, delete and restore a user': async ({ keys, said, page }) => {
    await keys.go('Users')
    await keys.press('New user')
    await keys.type('Id', 'new')
    await keys.type('Address', 'not an address')
    await page.keyboard.press('Enter')
    // The browser says so, and where it does not, the console does.
    expect(new URL(page.url()).pathname).toBe('/users/-/new')
    await page.keyboard.press('Shift+Tab')
    await keys.type('Address', 'new@example.com')
    await keys.tick('auditor')
    await keys.press('Save')
    await said('Saved.')
    await keys.press('Change')
    await keys.type('Name', 'Anew')
    await keys.press('Save')
    expect(await page.textContent('main')).toContain('Anew')
    await keys.press('Suspend')
    await keys.press('Suspend')
    await said('The user is suspended.')
    await keys.press('Resume')
    await keys.press('Resume')
    await said('The user is resumed.')
    await keys.press('Delete this user')
    await keys.type('Reason (optional)', 'left')
    await keys.press('Delete this user')
    expect(await heading(page)).toBe('Deleted user')
    await keys.press('Undo the deletion')
    await keys.press('Undo the deletion')
    await said('The user is restored.')
  },
  'make, change, look at and delete a feed': async ({ keys, said, page }) => {
    await keys.go('Feeds')
    await keys.press('New feed')
    await keys.type('Name', 'daily')
    await keys.type('Title', 'The daily letter')
    await keys.type('One reminder after (such as 2d; empty for none)', '2d')
    await keys.press('Save')
    await said('Saved.')
    await keys.press('Change')
    await keys.type('Forms ask for', '{"name": "company", "type": "text", "label": {"en": "Company"}}')
    await keys.press('Save')
    expect(await page.textContent('main')).toContain('company (text)')
    await keys.press('The reminder (de)')
    expect(await page.textContent('main')).toContain('reminder: The daily letter (de)')
    await keys.press('Feed')
    await keys.press('Delete this feed')
    await keys.press('Delete this feed')
    await said('The feed is deleted.')
  },
  'import a file of users, looked at first, and export': async ({ keys, said, page }) => {
    const file = { name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from('id,email\nimported,i@example.com\n') }
    await keys.go('Import and export')
    await keys.choose('Subscriptions', 1)
    // The window in which one chooses a file belongs to no page.
    await page.setInputFiles('#file', file)
    await keys.press('Show what would happen')
    await said('This is what would happen. Nothing was changed.')
    await page.setInputFiles('#file', file)
    await keys.press('Import this file')
    await said('The file is imported.')
    await keys.to('Download')
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toBe('subscriptions.ndjson')
  },
  'make a webhook, give it another secret, and delete it': async ({ keys, said, page }) => {
    await keys.go('Webhooks')
    await keys.press('New webhook')
    await keys.type('Name', 'crm')
    await keys.type('URL', 'https://crm.example.com/')
    await keys.press('Save')
    const first = await page.textContent('main pre')
    await keys.press('Webhook')
    await keys.press('Send parked events again')
    await said('It is tried again now.')
    await keys.press('New secret')
    await keys.press('New secret')
    expect(await page.textContent('main pre')).not.toBe(first)
    await keys.press('Webhook')
    await keys.press('Delete this webhook')
    await keys.press('Delete this webhook')
    await said('The webhook is deleted.')
  },
  'revoke a token, and end a session': async ({ keys, said }) => {
    await keys.go('Tokens')
    await keys.press(/^Revoke /)
    await keys.press('Revoke')
    await said('The token is revoked.')
    await at.loggedIn('eve')
    await keys.go('Sessions')
    await keys.press(new RegExp(`^End: (?!${await ownSession()})`))
    await said('The session has ended.')
  },
  'search the trail, and verify it': async ({ keys, said, page, goOn }) => {
    await keys.go('Audit trail')
    await keys.type('Action', 'user.put')
    await keys.press('Show')
    expect(new Set(await page.locator('tbody td:nth-child(5)').allTextContents())).toEqual(new Set(['user.put']))
    await keys.press('Verify the whole trail')
    await goOn('.notice.done')
    await said('The trail is intact.')
  },
  'delete users from a pasted list, with a plan, a number to type, a report and an undo': async ({
    keys,
    said,
    page,
    goOn,
  }) => {
    const ids = await putUsers(230)
    await keys.go('Delete users')
    await keys.type('Ids', [...ids, 'missing'].join('\n'))
    await keys.press('Show the plan')
    await goOn('#typed')
    await keys.type('To delete them, type how many: 230', '23')
    await keys.submit()
    await said('Correct what is marked below. Nothing was done.')
    expect(await remaining(ids)).toBe(230)
    await keys.type('To delete them, type how many: 230', '230')
    await keys.press('Delete users: 230')
    await goOn('text=Undo deletions: 230')
    expect(await remaining(ids)).toBe(0)
    await keys.press('stays: 1')
    expect(await page.textContent('tbody')).toContain('There is no such user.')
    await keys.press('All rows')
    await keys.press('Undo deletions: 230')
    await goOn('text=restored: 230')
    expect(await remaining(ids)).toBe(230)
  },
}

/** The oldest: the one that the journeys are made in. */
const ownSession = async () => (await at.useCases.listConsoleSessions.execute({}, OPS)).items[0]?.id ?? ''

describe.each(Object.entries(LOOKS))('%s', (_, look) => {
  it('every journey is made by keyboard alone, through pages that are accessible, fit, and are valid', async () => {
    await using visitor = await arrive(look)
    const { page, complaints } = visitor
    const found: Record<string, unknown> = {}
    const keys = new Keyboard(page, async () => {
      const problems = await (look.javaScriptEnabled ? lookAt : shapeOf)(page).catch((error: unknown) => {
        // The script has gone on meanwhile.
        if (look.javaScriptEnabled && /context was destroyed|navigation/.test(String(error))) return []
        throw error
      })
      if (problems.length > 0) found[page.url()] = problems
    })
    const traveller: Traveller = {
      keys,
      page,
      said: async (words) => expect(await page.locator('.notice').allTextContents()).toContain(words),
      goOn: async (until) => {
        if (look.javaScriptEnabled) await page.waitForSelector(until)
        else while ((await page.locator(until).count()) === 0) await keys.press('Go on')
      },
    }
    for (const [name, journey] of Object.entries(JOURNEYS))
      await journey(traveller).catch((error: unknown) => {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
      })
    // Scripts change none of it.
    const answered = look.javaScriptEnabled ? [] : at.pages
    for (const { path, text: shown } of new Map(answered.map((each) => [each.path, each])).values()) {
      const problems = path.includes('.html') ? [] : await htmlProblems(shown)
      if (problems.length > 0) found[path] = problems
    }
    expect([found, complaints]).toEqual([{}, []])
  })
})

it('goes on with a deletion of 5,000 after the browser was closed in the middle: nothing is done twice or left untold', async () => {
  const ids = await putUsers(5_000)
  let path = ''
  {
    await using visitor = await arrive()
    const { page } = visitor
    await page.goto(`${origin}/deletions`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(ids.join('\n'))})`)
    await page.focus('#ids')
    await page.keyboard.press('ControlOrMeta+v')
    await page.click('text=Show the plan')
    await page.waitForSelector('#typed', { timeout: 60_000 })
    await page.fill('#typed', '5000')
    await page.click('button.grave')
    await page.waitForSelector('#progress')
    path = new URL(page.url()).pathname
  }
  const left = await remaining(ids)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(5_000)
  await using visitor = await arrive({ javaScriptEnabled: false })
  const { page } = visitor
  await page.goto(`${origin}/deletions`)
  await page.click(`a[href='${path}']`)
  while ((await page.locator('button:has-text("Go on")').count()) > 0) await page.click('button:has-text("Go on")')
  expect(await remaining(ids)).toBe(0)
  expect((await page.locator('.actions').allTextContents()).join()).toContain('deleted: 5000')
  const download = page.waitForEvent('download')
  await page.click('text=Download the report')
  const report = await (await download).createReadStream()
  const rows = (await text(report)).trim().split('\r\n').slice(1)
  expect(rows.toSorted()).toEqual(ids.map((id, n) => `${n + 1},${id},deleted,`).toSorted())
  const deleted: string[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next } = await at.storage.readers.audit.list({ after, limit: 2_000 })
    for (const { action, outcome, target = '' } of items)
      if (action === 'user.delete' && outcome === 'done' && /^u\d/.test(target)) deleted.push(target)
    after = next
  }
  expect(deleted.toSorted()).toEqual(ids.toSorted())
})

it('cannot be framed, nor be sent a form, by another page', async () => {
  await using visitor = await arrive()
  const { page } = visitor
  const cookies = await page.context().cookies()
  expect(cookies).toMatchObject([{ name: 'rollcall-console', httpOnly: true, sameSite: 'Lax' }])
  const evil = await page.context().newPage()
  await evil.route('http://evil.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${origin}/"></iframe><form method="post" action="${origin}/logout"><button>x</button></form>`,
    }),
  )
  await evil.goto('http://evil.example/')
  // What the browser shows instead is a page of its own.
  expect(await evil.frames()[1]?.title()).not.toContain('Rollcall')
  await evil.click('button')
  await evil.waitForURL(`${origin}/logout`)
  expect(await heading(evil)).toBe('This did not work')
  await page.goto(`${origin}/health`)
  expect(await heading(page)).toBe('Health')
})

it('shows nothing under a name that an attacker has point here', async () => {
  await using visitor = await arrive()
  const evil = await visitor.page.context().newPage()
  const answer = await evil.goto(`http://rebound.example:${at.port}/users`)
  expect([answer?.status(), await heading(evil)]).toEqual([421, 'This did not work'])
})
