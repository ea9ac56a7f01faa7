import { operator, WebhookRefused, withAnswer } from '@rollcall/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arriveAt, putUsers, remaining } from '../support/arrive.ts'
import { busyWeeks } from '../support/busy-weeks.ts'
import { type FilledConsole, filledConsole } from '../support/filled-console.ts'
import { openBrowser } from '../support/open-browser.ts'

const OPS = operator('ops')
const PASTED = 50

/** An operator who knows nothing of the console: counts what is pressed, and how many windows down it is. */
class Newcomer {
  presses = 0
  windows = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** The first that is called so, in the menu if it is not on the page. */
  async press(name: string): Promise<void> {
    const content = this.page.locator('main')
    let target = content.getByRole('link', { name }).or(content.getByRole('button', { name })).first()
    if ((await target.count()) === 0) {
      const menu = this.page.getByText('Menu', { exact: true })
      if (await menu.isVisible()) {
        await menu.click()
      }
      target = this.page.getByRole('navigation').getByRole('link', { name }).locator('visible=true').first()
    }
    await this.look(target)
    await Promise.all([this.page.waitForEvent('load'), target.click()])
    this.presses++
  }

  async find(text: string): Promise<void> {
    await this.page.getByRole('searchbox').first().fill(text)
    await Promise.all([this.page.waitForEvent('load'), this.page.keyboard.press('Enter')])
    this.presses++
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.look(this.page.getByText(text).locator('visible=true').first())
  }

  async look(target: ReturnType<Page['locator']>): Promise<void> {
    const { y = 0 } = (await target.boundingBox()) ?? {}
    const scrolled = await this.page.evaluate<number>('scrollY')
    this.windows = Math.max(this.windows, (y + scrolled) / (this.page.viewportSize()?.height ?? 1))
  }
}

interface Task {
  /** As many presses as it may take, beside opening the menu of a phone. */
  readonly presses: number
  readonly work: (one: Newcomer) => Promise<void>
  readonly done?: () => Promise<unknown>
}

let at: FilledConsole
let browser: Browser
let ids: readonly string[]
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
})

const begin = async () => {
  at = await filledConsole({}, {}, busyWeeks)
  ids = await putUsers(at, PASTED)
  at.webhookTransport.otherSide = async () => {
    throw withAnswer(new WebhookRefused('The target answered 503.', { status: 503 }), { status: 503, head: 'Later.' })
  }
  await at.useCases.deliverEvents.advance({})
  await at.useCases.deliverEvents.finish()
}
const end = async () => {
  expect(at.problems).toEqual([])
  await at.close()
}

const TASKS: Readonly<Record<string, Task>> = {
  'find a person by a part of the name': {
    presses: 2,
    work: async (one) => {
      await one.find('ludensch')
      await one.press('Zoë Müller-Lüdenscheidt')
      await one.sees('zoe.mullerludenscheidt')
    },
  },
  'say why no mail came': {
    presses: 1,
    work: async (one) => {
      await one.find('bob@example.com')
      await one.sees(/The address is suppressed since/)
    },
  },
  'see how a feed grows': {
    presses: 1,
    work: async (one) => {
      await one.sees('Net, 90 days')
      await one.press('weekly')
      await one.sees('Joined and left, last 30 days')
    },
  },
  'stop a feed': {
    presses: 3,
    work: async (one) => {
      await one.press('weekly')
      await one.press('Stop sign-ups')
      await one.press('Stop sign-ups')
      await one.sees('closed')
    },
    done: async () => (await at.useCases.getFeed.execute({ name: 'weekly' }, OPS)).open === false,
  },
  'find a webhook that fails, and replay what failed': {
    presses: 3,
    work: async (one) => {
      await one.press('Webhooks that fail')
      await one.press('shop')
      await one.sees('The target answered 503.')
      await one.press('Send again')
      await one.sees('The event is sent again now.')
    },
  },
  'delete 50 users from a list': {
    presses: 3,
    work: async (one) => {
      await one.press('Delete users')
      await one.page.getByLabel('Ids', { exact: true }).fill(ids.join('\n'))
      await one.press('Show the plan')
      await one.page.getByLabel(`To delete them, type how many: ${PASTED}`).fill(String(PASTED))
      await one.press(`Delete users: ${PASTED}`)
      await one.sees(`Undo deletions: ${PASTED}`)
    },
    done: async () => (await remaining(at, ids)) === 0,
  },
}

describe.each([
  [1280, 900],
  [320, 640],
])('without a manual, at %i x %i', (width, height) => {
  beforeAll(begin)
  afterAll(end)

  it.each(Object.entries(TASKS))('%s', async (_, { presses, work, done }) => {
    const options = { javaScriptEnabled: false, viewport: { width, height } }
    await using visitor = await arriveAt(at, browser, options)
    const one = new Newcomer(visitor.page)
    await work(one)
    expect(one.presses).toBeLessThanOrEqual(presses)
    expect(one.windows).toBeLessThan(2)
    expect((await done?.()) ?? true).toBe(true)
  })
})
