import { operator } from '@rollcall/core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { arriveAt, putUsers, remaining } from '../support/arrive.ts'
import { type FilledConsole, filledConsole } from '../support/filled-console.ts'
import { htmlProblems } from '../support/html-problems.ts'
import { Keyboard } from '../support/keyboard.ts'
import { lookAt, shapeOf } from '../support/look-at.ts'
import { LOOKS } from '../support/looks.ts'
import { openBrowser } from '../support/open-browser.ts'

const OPS = operator('ops')
/** Each two of scripts, width and colours meet in one of them; `accessibility` has every look of every screen. */
const VISITS = LOOKS.map((look) => ({
  javaScriptEnabled: (look.colorScheme === 'light') === (look.viewport.width === 320),
  ...look,
}))
const nameOf = ({ javaScriptEnabled, colorScheme, viewport }: (typeof VISITS)[number]): string =>
  `${javaScriptEnabled ? 'with' : 'without'} scripts, ${viewport.width} px wide, ${colorScheme}`

let at: FilledConsole
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
})
beforeEach(async () => {
  at = await filledConsole()
})
afterEach(async () => {
  expect(at.problems).toEqual([])
  await at.close()
})

const arrive = (options: BrowserContextOptions = {}) => arriveAt(at, browser, options)
const heading = (page: Page) => page.textContent('h1')

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
    await keys.go('Start')
    // The box gets the focus when the page is drawn, which may be after it was loaded.
    await page.waitForSelector('input:focus')
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
    await keys.press('Lift the suppression')
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
    await keys.type('Name, address or id', 'the ev')
    await keys.press('Show')
    await keys.press('The eve')
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
    expect(await heading(page)).toBe('Deleted user: new')
    await keys.press('Undo the deletion')
    await keys.press('Undo the deletion')
    await said('The user is restored.')
  },
  'make, change, look at and delete a feed': async ({ keys, said, page }) => {
    await keys.go('Feeds')
    await keys.press('New feed')
    await keys.type('Name', 'daily')
    await keys.type('Title', 'The daily letter')
    await keys.type('One reminder after', '2d')
    await keys.press('Save')
    await said('Saved.')
    await keys.press('Change')
    await keys.type('Forms ask for', '{"name": "company", "type": "text", "label": {"en": "Company"}}')
    await keys.press('Save')
    expect(await page.textContent('main')).toContain('company (text)')
    await keys.press('Stop sign-ups')
    await keys.press('Stop sign-ups')
    expect(await page.textContent('main')).toContain('closed')
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
    await keys.press('Import this file')
    await said('The file is imported.')
    await keys.press('Another file')
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
    await keys.press('Send a test event')
    await said('The target took the test event.')
    await keys.press('New secret')
    await keys.press('New secret')
    expect(await page.textContent('main pre')).not.toBe(first)
    await keys.press('Webhook')
    await keys.press('Delete this webhook')
    await keys.press('Delete this webhook')
    await said('The webhook is deleted.')
  },
  'issue a token, revoke one, and end a session': async ({ keys, said, page }) => {
    await keys.go('Tokens')
    await keys.press('Issue a token')
    await keys.type('Subject', 'robot')
    await keys.tick('sender')
    await keys.press('Issue a token')
    expect(await heading(page)).toBe('The token')
    await keys.press('Tokens')
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
    await keys.pick('Action', 'user.put')
    await keys.press('Show')
    expect(new Set(await page.locator('tbody td:nth-child(3)').allTextContents())).toEqual(new Set(['user.put']))
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
    const ids = await putUsers(at, 230)
    await keys.go('Delete users')
    await keys.type('Ids', [...ids, 'missing'].join('\n'))
    await keys.press('Show the plan')
    await goOn('#typed')
    await keys.type('To delete them, type how many: 230', '23')
    await keys.submit()
    await said('Correct what is marked below. Nothing was done.')
    expect(await remaining(at, ids)).toBe(230)
    await keys.type('To delete them, type how many: 230', '230')
    await keys.press('Delete users: 230')
    await goOn('text=Undo deletions: 230')
    expect(await remaining(at, ids)).toBe(0)
    await keys.press('stays: 1')
    expect(await page.textContent('tbody')).toContain('There is no such user.')
    await keys.press('All rows')
    await keys.press('Undo deletions: 230')
    await goOn('text=restored: 230')
    expect(await remaining(at, ids)).toBe(230)
  },
}

/** The oldest: the one that the journeys are made in. */
const ownSession = async () => (await at.useCases.listConsoleSessions.execute({}, OPS)).items[0]?.id ?? ''

describe.each(VISITS.map((look) => [nameOf(look), look] as const))('%s', (_, look) => {
  it('every journey is made by keyboard alone, through pages that are accessible, fit, and are valid', async () => {
    await using visitor = await arrive({ ...look, reducedMotion: 'reduce' })
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
