import type { Feed } from '@rollcall/core'
import type { Page } from 'playwright-core'
import { putFeed } from './feeds.ts'
import type { OpenServer } from './open-server.ts'

/** Every page by name, with the way to open it. */
export type EveryPage = Readonly<Record<string, (page: Page) => Promise<unknown>>>

const DAY = 24 * 3600 * 1000
const FEED = {
  title: 'The weekly letter',
  homeUrl: 'https://www.rollcall.example/',
  description: 'Every Friday, what we learned. Written by people.\nIn five minutes.',
  wording: 'I want this letter by mail, and may end that at any time. See https://rollcall.example/privacy.',
}

const FIELD = { label: { en: 'A field', de: 'Ein Feld' }, required: false, max: undefined, choices: [], public: true }
const FIELDS: Feed['fields'] = [
  { ...FIELD, name: 'company', type: 'text', required: true },
  {
    ...FIELD,
    name: 'topic',
    type: 'choice',
    choices: ['Music', 'Theatre, and everything else that is played on a stage'],
  },
  { ...FIELD, name: 'expert', type: 'boolean' },
  { ...FIELD, name: 'born', type: 'date' },
  { ...FIELD, name: 'size', type: 'number', max: 9 },
]

let count = 0

/** Forms are filled in as slowly as a person would; each address is a new one. */
export const everyPage = async (server: OpenServer, origin: string): Promise<EveryPage> => {
  const { useCases, transport, clock } = server
  await putFeed(server, 'letter', FEED)
  await putFeed(server, 'shut', { ...FEED, open: false })
  await putFeed(server, 'asking', { ...FEED, title: 'The asking letter', fields: FIELDS })

  const send = async (page: Page, form: string, fields: Readonly<Record<string, string>>) => {
    await page.goto(origin + form)
    for (const [field, value] of Object.entries(fields)) await page.fill(`#${field}`, value)
    clock.advance(5_000)
    await page.click('main form button')
  }
  const subscribe = async (page: Page, query = 'feed=letter', fields = {}) => {
    const email = `reader${++count}@example.com`
    await send(page, `/subscribe?${query}`, { email, ...fields })
    return email
  }
  const subscribeToSeveral = (page: Page) => subscribe(page, 'feeds=letter+asking', { field_company: 'ACME' })
  const openSeveral = async (page: Page) => {
    await page.goto((await linksTo(await subscribeToSeveral(page))).confirm ?? '')
  }
  /** Sends all pending mails first. */
  const linksTo = async (address: string) => {
    await useCases.deliverOutbox.execute({ limit: 100 })
    const mail = transport.mails.findLast(({ to }) => to === address)
    if (mail === undefined) throw new Error(`no mail came to ${address}`)
    return mail.links
  }
  const open = async (page: Page, purpose: 'confirm' | 'refuse' | 'unsubscribe') =>
    await page.goto((await linksTo(await subscribe(page)))[purpose] ?? '')
  const press = async (page: Page, purpose: 'confirm' | 'refuse' | 'unsubscribe') => {
    await open(page, purpose)
    await page.click('main form button')
  }
  const askForPreferences = async (page: Page, subscribed = subscribe) => {
    const email = await subscribed(page)
    await page.goto((await linksTo(email)).confirm ?? '')
    await page.click('main form button')
    // A mail that the caps delay would not arrive at once.
    clock.advance(DAY)
    await send(page, '/preferences', { email })
    return email
  }
  const openPreferences = async (page: Page) =>
    await page.goto((await linksTo(await askForPreferences(page))).preferences ?? '')
  /** Asks for a change of address on the page of preferences. */
  const askToMove = async (page: Page, to: (count: number) => string = (count) => `moved${count}@example.org`) => {
    await openPreferences(page)
    const next = to(count)
    await page.fill('form[action$="/move"] #email', next)
    await page.click('form[action$="/move"] button')
    return next
  }
  const silence = async (page: Page) => {
    await openPreferences(page)
    await page.check('form:has(button[value=never-again]) input')
    await page.click('button[value=never-again]')
  }
  const openMove = async (page: Page) => {
    const next = await askToMove(page)
    await page.goto((await linksTo(next)).move ?? '')
  }
  const move = async (page: Page) => {
    await openMove(page)
    await page.click('main form button')
  }
  const openUndo = async (page: Page) => {
    await move(page)
    await page.goto((await linksTo(`reader${count}@example.com`)).undo ?? '')
  }
  const openManage = async (page: Page) => {
    const email = await subscribe(page)
    await page.goto((await linksTo(email)).confirm ?? '')
    await page.click('main form button')
    const token = await server.token('mailer', 'sender')
    const { body } = await server.request('GET', '/feeds/letter/recipients', { token })
    const line = body.split('\n').find((one) => one.includes(`"${email}"`)) ?? '{}'
    await page.goto(JSON.parse(line).manage_url)
  }
  const pages: EveryPage = {
    'sign-up': (page) => page.goto(`${origin}/subscribe?feed=letter`),
    'sign-up with what is wrong': (page) =>
      send(page, '/subscribe?feed=letter', { email: `${'x'.repeat(65)}@example.com`, name: 'x'.repeat(201) }),
    'sign-up that leads nowhere': (page) => page.goto(`${origin}/subscribe?feed=letter&return_to=${origin}/x`),
    'sign-up with fields': (page) => page.goto(`${origin}/subscribe?feed=asking`),
    'sign-up to several feeds': (page) => page.goto(`${origin}/subscribe?feeds=asking+letter`),
    'sign-up with fields and what is wrong': (page) =>
      send(page, '/subscribe?feed=asking', { email: 'a@example.com', field_company: ' ', name: 'x'.repeat(201) }),
    'confirm several': (page) => openSeveral(page),
    'confirm several, but none is ticked': async (page) => {
      await openSeveral(page)
      for (const box of await page.locator('input[type=checkbox]').all()) await box.uncheck()
      await page.click('main form button')
    },
    'confirm what is left of several': async (page) => {
      await openSeveral(page)
      const link = page.url()
      await page.locator('input[type=checkbox]').first().uncheck()
      await page.click('main form button')
      await page.goto(link)
    },
    'several confirmed': async (page) => {
      await openSeveral(page)
      await page.click('main form button')
    },
    'preferences with fields': async (page) => {
      const email = await askForPreferences(page, subscribeToSeveral)
      await page.goto((await linksTo(email)).preferences ?? '')
      await page.check('input[name=field_expert]')
      await page.click('button[value=update]')
    },
    closed: (page) => page.goto(`${origin}/subscribe?feed=shut`),
    pending: (page) => subscribe(page),
    confirm: (page) => open(page, 'confirm'),
    confirmed: (page) => press(page, 'confirm'),
    'confirmed already': async (page) => {
      await press(page, 'confirm')
      await page.goto(page.url())
    },
    refuse: (page) => open(page, 'refuse'),
    refused: (page) => press(page, 'refuse'),
    unsubscribe: (page) => open(page, 'unsubscribe'),
    unsubscribed: (page) => press(page, 'unsubscribe'),
    'ask for preferences': (page) => page.goto(`${origin}/preferences`),
    'ask for preferences with what is wrong': (page) =>
      send(page, '/preferences', { email: `${'x'.repeat(65)}@example.com` }),
    'asked for preferences': (page) => askForPreferences(page),
    preferences: (page) => openPreferences(page),
    'preferences with one subscription less': async (page) => {
      await openPreferences(page)
      await page.click('button[value=end]')
    },
    'preferences with what is wrong': async (page) => {
      const email = await askForPreferences(page, subscribeToSeveral)
      await page.goto((await linksTo(email)).preferences ?? '')
      await page.fill('input[name=field_size]', '10')
      await page.locator('form:has(input[name=field_size])').evaluate((form) => {
        form.noValidate = true
      })
      await page.click('button[value=update]')
    },
    'preferences where nothing is to be sent any more': (page) => silence(page),
    'preferences where that is undone': async (page) => {
      await silence(page)
      await page.click('button[value=allow]')
    },
    'asked to move': (page) => askToMove(page),
    'ask to move with what is wrong': (page) => askToMove(page, () => `${'x'.repeat(65)}@example.org`),
    move: (page) => openMove(page),
    moved: (page) => move(page),
    'moved already': async (page) => {
      await move(page)
      await page.goto(page.url())
    },
    undo: (page) => openUndo(page),
    undone: async (page) => {
      await openUndo(page)
      await page.click('main form button')
    },
    manage: (page) => openManage(page),
    managed: async (page) => {
      await openManage(page)
      await page.click('main form button')
    },
    'everything erased': async (page) => {
      await openPreferences(page)
      await page.check('form:has(button[value=erase]) input[required]')
      await page.click('button[value=erase]')
    },
    'everything erased for good': async (page) => {
      await openPreferences(page)
      for (const box of await page.locator('form:has(button[value=erase]) input').all()) await box.check()
      await page.click('button[value=erase]')
    },
    'unsubscribed already': async (page) => {
      await press(page, 'unsubscribe')
      await page.goto(page.url())
    },
    'page that is not there': (page) => page.goto(`${origin}/nowhere`),
    'method that is not there': (page) => page.goto(`${origin}/preferences/x/move`),
    'link that is not valid': (page) => page.goto(`${origin}/confirm/x`),
    'feed that is not there': (page) => page.goto(`${origin}/subscribe?feed=nowhere`),
    'request that is not understood': (page) => page.goto(`${origin}/subscribe?feed=a&feed=b`),
  }
  // A click waits for the answer to begin, not for the page to be there.
  const loaded = (goTo: EveryPage[string]) => async (page: Page) => {
    await goTo(page)
    await page.waitForLoadState()
  }
  return Object.fromEntries(Object.entries(pages).map(([name, goTo]) => [name, loaded(goTo)]))
}
